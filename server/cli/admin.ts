import {
  type AdminRequest,
  type AdminResponse,
  getOrganisationLimits,
  type RemoveDemoDataRequest,
} from '#server/operation/admin/admin-requests.ts'
import { ADMIN_USAGE } from './admin-usage.ts'
import { parseAdminArgs } from './parse-admin-args.ts'
import type { CommandLineOutput } from './terminal.ts'

export type AdminRequestHandler = (request: AdminRequest | RemoveDemoDataRequest) => Promise<AdminResponse>

/**
 * Runs `admin COMMAND …`. `administer` executes the command, in this process or in the running server; `readLine`
 * prompts for a secret without echo.
 */
export async function runAdminCommand(
  args: string[],
  administer: AdminRequestHandler,
  terminal: CommandLineOutput,
  readLine: (question: string) => Promise<string>,
): Promise<void> {
  const request = await parseAdminArgs(args, readLine)
  if (request === undefined) return terminal.log(ADMIN_USAGE)
  const answer = await administer(request)
  if ('organisations' in answer)
    return table(
      terminal,
      ['code', 'name', 'package', 'users', 'words', 'matches', 'last used', 'disabled'],
      answer.organisations.map((row) => [
        row.code,
        row.name,
        row.package,
        row.users,
        row.words,
        row.matches,
        row.lastUsedAt ?? '',
        row.isDisabled,
      ]),
    )
  if ('attention' in answer) {
    const { failedSources, failedLoads, unreadableRows, deadJobs, failedMails } = answer.attention
    const { pausedWebhooks, waitingKeywords, undoneFacts } = answer.attention
    return table(
      terminal,
      ['needs attention', 'count', 'see'],
      [
        ['failed sources', failedSources, 'npm run intake -- status'],
        ['loads that failed in the last day', failedLoads, 'loads'],
        ['unreadable rows of the last day', unreadableRows, 'loads'],
        ['dead jobs', deadJobs, 'jobs'],
        ['failed mails', failedMails, 'mails'],
        ['customer webhooks paused automatically in the last day', pausedWebhooks, '/metrics'],
        ['keywords awaiting approval', waitingKeywords, 'waiting'],
        ['document facts that became unsure', undoneFacts, 'facts'],
      ],
    )
  }
  if ('metrics' in answer)
    return table(
      terminal,
      [
        'from',
        'requests',
        'failed',
        'report pages',
        'p50 ms',
        'p99 ms',
        'jobs due',
        'done',
        'dead',
        'mails',
        'failed',
        'loop ms',
        'MB',
      ],
      answer.metrics.map((row) => [
        ...[row.at, row.requests ?? '-', row.errors ?? '-', row.reportPages ?? '-', rounded(row.reportHalfMs)],
        ...[rounded(row.reportP99Ms), row.jobsDue ?? '-', row.jobsDone, row.jobsDead, row.mailsSent, row.mailsFailed],
        ...[rounded(row.loopLagMs), row.memoryMb ?? '-'],
      ]),
    )
  if ('mails' in answer)
    return table(
      terminal,
      ['mail', 'made', 'kind', 'organisation', 'state', 'tries', 'answer', 'can be resent'],
      answer.mails.map((row) => [
        row.id,
        row.createdAt,
        row.kind,
        row.organisation ?? '',
        row.state,
        row.attempts,
        row.failure ?? '',
        row.canResend,
      ]),
    )
  if ('jobs' in answer)
    return table(
      terminal,
      ['job', 'kind', 'organisation', 'state', 'tries', 'requested', 'due or dead', 'failure', 'can be restarted'],
      answer.jobs.map((row) => [
        ...[row.id, row.kind, row.organisation ?? '', row.state, row.attempts, row.requestedAt, row.at],
        ...[row.failure ?? '', row.canRestart],
      ]),
    )
  if ('facts' in answer)
    return table(
      terminal,
      ['fact', 'on', 'right', 'wrong', 'to check', 'unsure', 'switched', 'by'],
      answer.facts.map((row) => [
        ...[row.fact, row.is_on, row.right, row.wrong, row.waiting],
        row.unsure_share === null ? '-' : `${Math.round(row.unsure_share * 100)} %`,
        ...[row.switched_at ?? '', row.switched_by ?? ''],
      ]),
    )
  if ('check' in answer) {
    if (answer.check === null) return terminal.log('nothing is left to check')
    const { hash, project_id: project, name, told: reading } = answer.check
    return table(
      terminal,
      ['hash', 'project', 'document', 'page', 'value', 'sentence'],
      [[hash, project, name, reading.page, JSON.stringify(reading.value), reading.sentence]],
    )
  }
  if ('loads' in answer)
    return table(
      terminal,
      ['load', 'loads', 'source', 'from', 'state', 'begun', 'read', 'unreadable', 'new', 'updated', 'failure'],
      answer.loads.map((row) => [
        ...[row.id, row.night === null ? '' : `${row.loads} of ${row.night}`, row.source, row.origin, row.state],
        ...[row.startedAt, row.read, row.quarantined, row.newProjects],
        ...[row.updatedProjects, row.failure ?? ''],
      ]),
    )
  if ('badRows' in answer)
    return table(
      terminal,
      ['line', 'reason', 'row'],
      answer.badRows.map((row) => [row.line, row.reason, row.raw]),
    )
  if ('blacklist' in answer)
    return table(
      terminal,
      ['word', 'since'],
      answer.blacklist.map((row) => [row.word, row.createdAt.slice(0, 10)]),
    )
  if ('waiting' in answer)
    return table(
      terminal,
      ['id', 'organisation', 'list', 'word', 'added by', 'added'],
      answer.waiting.map((row) => [row.id, row.organisation, row.list, row.word, row.addedBy ?? '', row.createdAt]),
    )
  if ('impact' in answer) {
    const { days, before, after, added, perWorkingDay, level, samples } = answer.impact
    table(
      terminal,
      ['days', 'now', 'with it', 'would be added', 'a working day', 'level'],
      [[days, before, after, added, perWorkingDay, level]],
    )
    for (const name of samples) terminal.log(name)
    return
  }
  if ('details' in answer) showDetails(terminal, answer.details)
  if ('users' in answer)
    return table(
      terminal,
      ['e-mail', 'name', 'role', 'organisation', 'last used', 'disabled'],
      answer.users.map((row) => [
        row.email,
        row.name,
        row.role,
        row.organisation,
        row.lastUsedAt ?? '',
        row.isDisabled,
      ]),
    )
  if ('password' in answer) {
    terminal.log(`${answer.createdUser} can log in with this password, which is not shown again:`)
    return terminal.log(answer.password)
  }
  terminal.log(answer.done)
}

function showDetails(
  terminal: CommandLineOutput,
  details: Extract<AdminResponse, { details: unknown }>['details'],
): void {
  const flags = Object.entries(details.flags).map(([flag, on]): [string, string] => [flag, on ? 'on' : 'off'])
  const limits = Object.entries(getOrganisationLimits(details.config)).map(([limit, max]): [string, number] => [
    limit === 'members' ? limit : `words in ${limit}`,
    max,
  ])
  table(
    terminal,
    ['code', details.code],
    [
      ['name', details.name],
      ['package', details.package],
      ['made', details.createdAt.slice(0, 10)],
      ['disabled', details.isDisabled],
      ['watch list set up', details.isWatchlistCompleted],
      ...flags,
      ['budget years', details.budgetYears],
      ...limits,
    ],
  )
  terminal.log('')
}

function table(terminal: CommandLineOutput, head: string[], rows: (string | number | boolean)[][]): void {
  const lines = [
    head,
    ...rows.map((row) => row.map((cell) => (cell === true ? 'yes' : cell === false ? '' : String(cell)))),
  ]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => shownWidth(line[column]!))))
  for (const line of lines)
    terminal.log(
      line
        .map((cell, column) => cell + ' '.repeat(widths[column]! - shownWidth(cell)))
        .join('  ')
        .trimEnd(),
    )
}

const rounded = (value: number | null) => (value === null ? '-' : Math.round(value))

/** Returns the width of a text in terminal columns: Thai combining vowels and tone marks take none. */
function shownWidth(text: string): number {
  return text.replace(/\p{Mn}/gu, '').length
}
