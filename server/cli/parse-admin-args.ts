import { parseArgs } from 'node:util'
import { USER_ROLES, type UserRole } from '#contract/account/user.ts'
import { METRIC_PERIODS, type MetricPeriod } from '#contract/operation/metrics.ts'
import {
  type AdminRequest,
  ORGANISATION_FLAG_COLUMNS,
  ORGANISATION_LIMIT_FIELDS,
  type OrganisationFlagName,
  type OrganisationLimitName,
  type RemoveDemoDataRequest,
} from '#server/operation/admin/admin-requests.ts'
import { ADMIN_USAGE } from './admin-usage.ts'
import { CommandUsageError } from './terminal.ts'

type ReadSecret = (question: string) => Promise<string>
type Options = { package?: string; 'first-name'?: string; 'last-name'?: string; role?: string }
type Switches = { confirm?: boolean; 'close-accounts'?: boolean }
type Request = AdminRequest | RemoveDemoDataRequest
type MakeRequest = (words: string[], options: Options & Switches, readSecret: ReadSecret) => Request | Promise<Request>

const COMMANDS: Readonly<
  Record<
    string,
    readonly [words: readonly number[], options: readonly (keyof Options | keyof Switches)[], make: MakeRequest]
  >
> = {
  organisations: [[0], [], () => ({ do: 'organisations' })],
  users: [[0, 1], [], ([organisation]) => ({ do: 'users', organisation })],
  attention: [[0], [], () => ({ do: 'attention' })],
  metrics: [
    [0, 1],
    [],
    ([period = 'hour']) => ({
      do: 'metrics',
      period: oneOf(period, Object.keys(METRIC_PERIODS) as MetricPeriod[], 'PERIOD'),
    }),
  ],
  mails: [[0], [], () => ({ do: 'mails' })],
  'resend-mail': [[1], [], ([id]) => ({ do: 'resend-mail', id: parseId(id, 'a mail', 'mails') })],
  jobs: [[0], [], () => ({ do: 'jobs' })],
  'restart-job': [[1], [], ([id]) => ({ do: 'restart-job', id: parseId(id, 'a job', 'jobs') })],
  loads: [[0, 1], [], ([night]) => ({ do: 'loads', night: night === undefined ? undefined : parseDay(night) })],
  'bad-rows': [[1], [], ([id]) => ({ do: 'bad-rows', load: parseId(id, 'a load', 'loads') })],
  show: [[1], [], ([organisation = '']) => ({ do: 'show', organisation })],
  'create-organisation': [
    [2],
    ['package'],
    ([code = '', name = ''], options) => ({ do: 'create-organisation', code, name, package: options.package }),
  ],
  'disable-organisation': [
    [1],
    [],
    ([organisation = '']) => ({ do: 'set-organisation-disabled', organisation, disabled: true }),
  ],
  'enable-organisation': [
    [1],
    [],
    ([organisation = '']) => ({ do: 'set-organisation-disabled', organisation, disabled: false }),
  ],
  'set-package': [[2], [], ([organisation = '', name = '']) => ({ do: 'set-package', organisation, package: name })],
  'set-flag': [
    [3],
    [],
    ([organisation = '', flag, state]) => ({
      do: 'set-flag',
      organisation,
      flag: oneOf(flag, Object.keys(ORGANISATION_FLAG_COLUMNS) as OrganisationFlagName[], 'FLAG'),
      on: oneOf(state, ['on', 'off'] as const, 'the last argument') === 'on',
    }),
  ],
  'set-limit': [
    [3],
    [],
    ([organisation = '', limit, limitText]) => ({
      do: 'set-limit',
      organisation,
      limit: oneOf(limit, Object.keys(ORGANISATION_LIMIT_FIELDS) as OrganisationLimitName[], 'LIST'),
      most: parseCount(limitText),
    }),
  ],
  'set-budget-years': [
    [2],
    [],
    ([organisation = '', years = '']) => ({
      do: 'set-budget-years',
      organisation,
      years: years === 'none' ? [] : years.split(',').map(parseBudgetYear),
    }),
  ],
  'set-window': [
    [2, 3],
    [],
    ([organisation = '', start, end]) => ({ do: 'set-window', organisation, window: parseHours(start, end) }),
  ],
  'retire-sample': [
    [0],
    ['confirm', 'close-accounts'],
    (_, { confirm = false, 'close-accounts': closeAccounts = false }) => ({
      do: 'retire-sample',
      confirmed: confirm,
      closeAccounts,
    }),
  ],
  rematch: [[1], [], ([organisation = '']) => ({ do: 'rematch', organisation })],
  facts: [[0], [], () => ({ do: 'facts' })],
  'next-fact': [[1], [], ([fact = '']) => ({ do: 'next-fact', fact })],
  'check-fact': [
    [3],
    [],
    ([fact = '', hash = '', verdict]) => ({
      do: 'check-fact',
      fact,
      hash,
      isRight: oneOf(verdict, ['right', 'wrong'] as const, 'the last argument') === 'right',
    }),
  ],
  'set-fact': [
    [2],
    [],
    ([fact = '', state]) => ({
      do: 'set-fact',
      fact,
      on: oneOf(state, ['on', 'off'] as const, 'the last argument') === 'on',
    }),
  ],
  waiting: [[0], [], () => ({ do: 'waiting' })],
  'keyword-impact': [[1], [], ([id]) => ({ do: 'keyword-impact', id: parseId(id, 'a keyword', 'waiting') })],
  'approve-keyword': [
    [1],
    [],
    ([id]) => ({ do: 'judge-keyword', id: parseId(id, 'a keyword', 'waiting'), approve: true }),
  ],
  'reject-keyword': [
    [1],
    [],
    ([id]) => ({ do: 'judge-keyword', id: parseId(id, 'a keyword', 'waiting'), approve: false }),
  ],
  blacklist: [
    [0, 2],
    [],
    ([change, word = '']) =>
      change === undefined
        ? { do: 'blacklist' }
        : { do: 'change-blacklist', word, add: oneOf(change, ['add', 'remove'] as const, 'the action') === 'add' },
  ],
  'create-user': [
    [2],
    ['first-name', 'last-name', 'role'],
    ([organisation = '', email = ''], options) => ({
      do: 'create-user',
      organisation,
      email,
      firstName: nameOption(options, 'first-name'),
      lastName: nameOption(options, 'last-name'),
      role: role(options.role ?? 'member_user'),
    }),
  ],
  'create-operator': [
    [1],
    ['first-name', 'last-name'],
    ([email = ''], options) => ({
      do: 'create-operator',
      email,
      firstName: nameOption(options, 'first-name'),
      lastName: nameOption(options, 'last-name'),
    }),
  ],
  'disable-user': [[1], [], ([email = '']) => ({ do: 'set-user-disabled', email, disabled: true })],
  'enable-user': [[1], [], ([email = '']) => ({ do: 'set-user-disabled', email, disabled: false })],
  'set-role': [[2], [], ([email = '', name]) => ({ do: 'set-role', email, role: role(name) })],
  'set-max-labels': [[2], [], ([email = '', maxText]) => ({ do: 'set-max-labels', email, most: parseCount(maxText) })],
  'remove-second-factor': [[1], [], ([email = '']) => ({ do: 'remove-second-factor', email })],
  'set-email': [[2], [], ([email = '', to = '']) => ({ do: 'set-email', email, to })],
  'set-password': [
    [1],
    [],
    // Prompt for the secret, because arguments are visible to every user of the machine and stay in the shell history.
    async ([email = ''], _, readSecret) => ({
      do: 'set-password',
      email,
      password: await readSecret(`New password of ${email}: `),
    }),
  ],
}

export async function parseAdminArgs(args: string[], readSecret: ReadSecret): Promise<Request | undefined> {
  const [name = '', ...rest] = args
  if (args.some((word) => word === '--help' || word === '-h') || name === 'help') return undefined
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  if (!command) throw new CommandUsageError(ADMIN_USAGE)
  const [words, allowed, make] = command
  const { positionals, values } = parseOptions(rest, allowed)
  if (!words.includes(positionals.length)) throw new CommandUsageError(ADMIN_USAGE)
  return await make(positionals, values, readSecret)
}

const SWITCHES: readonly string[] = ['confirm', 'close-accounts'] satisfies (keyof Switches)[]

function parseOptions(
  args: string[],
  allowed: readonly string[],
): { positionals: string[]; values: Options & Switches } {
  try {
    const options = Object.fromEntries(
      allowed.map((option) => [
        option,
        { type: SWITCHES.includes(option) ? ('boolean' as const) : ('string' as const) },
      ]),
    )
    const { positionals, values } = parseArgs({ args, options, allowPositionals: true, strict: true })
    return { positionals, values: values as Options & Switches }
  } catch (error) {
    throw new CommandUsageError(`${(error as Error).message}\n\n${ADMIN_USAGE}`)
  }
}

function parseDay(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || Number.isNaN(Date.parse(text)))
    throw new CommandUsageError(`NIGHT: must be the date of its evening, such as 2026-11-23, not ${text}`)
  return text
}

function oneOf<T extends string>(word: string | undefined, among: readonly T[], what: string): T {
  const match = among.find((candidate) => candidate === word)
  if (match === undefined) throw new CommandUsageError(`${what} must be one of: ${among.join(', ')}`)
  return match
}

const role = (word: string | undefined): UserRole =>
  oneOf(
    word,
    USER_ROLES.map(({ code }) => code),
    'ROLE',
  )

function parseCount(word: string | undefined): number {
  const number = Number(word)
  if (!/^\d{1,6}$/.test(word ?? '')) throw new CommandUsageError(`${word ?? ''} is not a number from 0 to 999999`)
  return number
}

function parseHours(start = '', end?: string): { start: string; end: string } | undefined {
  if (end === undefined && start === 'off') return undefined
  for (const time of [start, end ?? '']) {
    if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time))
      throw new CommandUsageError(`${time || 'nothing'} is not a time such as 01:00`)
  }
  return { start, end: end ?? '' }
}

function parseId(word: string | undefined, of: string, listCommand: string): number {
  if (!/^[1-9]\d{0,8}$/.test(word ?? ''))
    throw new CommandUsageError(`${word} is not the id of ${of}: list the ids with \`${listCommand}\``)
  return Number(word)
}

function parseBudgetYear(word: string): number {
  const year = Number(word.trim())
  if (!Number.isInteger(year) || year < 2500 || year > 2700)
    throw new CommandUsageError(`${word} is not a Buddhist year such as 2569`)
  return year
}

function nameOption(options: Options, name: 'first-name' | 'last-name'): string {
  const value = options[name]?.trim()
  if (!value) throw new CommandUsageError(`--${name} is missing\n\n${ADMIN_USAGE}`)
  return value
}
