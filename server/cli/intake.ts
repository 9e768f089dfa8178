import { parseArgs } from 'node:util'
import type { IntakeAnswer, IntakeRequest } from '#server/catalogue/intake/commands.ts'
import type { SourceOverview } from '#server/catalogue/intake/overview.ts'
import { INTAKE_SOURCES, isIntakeSource, type SourceSettings } from '#server/catalogue/intake/sources.ts'
import { type Terminal, UsageError } from './terminal.ts'

export const INTAKE_USAGE = `usage: npm run intake -- COMMAND
  status [--json]                what each source is set to, what came, what is missing
  on SOURCE --contact ADDRESS    ask it from now on; the address goes into every request
     [--window 17:30-08:30] [--probe-at 12:00|none] [--pace SECONDS] [--address URL] [--parts 2568,2569]
     [--key] (asked for, or one line of standard input) [--retire-sample]
  off SOURCE                     ask no more; what came stays
  run SOURCE                     plan this night anew and go on
  probe SOURCE                   one request now; nothing of it is stored
sources: ${INTAKE_SOURCES.join(', ')}`

/** `intake COMMAND …`. `runRequest` runs here or in the running server. */
export async function intakeCommand(
  args: string[],
  runRequest: (request: IntakeRequest) => Promise<IntakeAnswer>,
  terminal: Terminal,
  readSecret?: (question: string) => Promise<string>,
): Promise<void> {
  const request = readIntakeArgs(args)
  // As an argument, the key would be visible in the shell history and the process list.
  const isKeyGiven = request.command === 'on' && args.includes('--key') && readSecret !== undefined
  const answer = await runRequest(isKeyGiven ? { ...request, key: (await readSecret('API key: ')).trim() } : request)
  if ('done' in answer) return terminal.log(answer.done)
  if ('probe' in answer) {
    terminal.log(answer.probe.address)
    return terminal.log(`${answer.probe.said} after ${answer.probe.ms} ms`)
  }
  if (args.includes('--json')) return terminal.log(JSON.stringify({ sources: answer.sources }, null, 2))
  for (const source of answer.sources) for (const line of statusLines(source)) terminal.log(line)
}

export function readIntakeArgs(args: string[]): IntakeRequest {
  const { values, positionals } = parse(args)
  const [command, source, ...more] = positionals
  const hasOptions = Object.keys(values).length > 0
  const isStatus = command === 'status' && source === undefined
  if (isStatus && (!hasOptions || (values.json && Object.keys(values).length === 1))) return { command }
  if (source === undefined || more.length > 0) throw new UsageError(INTAKE_USAGE)
  if (!isIntakeSource(source)) throw new UsageError(`there is no source ${source}\n${INTAKE_USAGE}`)
  if (command === 'on')
    return { command, source, changes: changesOf(values), ...(values['retire-sample'] ? { retireSample: true } : {}) }
  if ((command === 'off' || command === 'run' || command === 'probe') && !hasOptions) return { command, source }
  throw new UsageError(INTAKE_USAGE)
}

type Values = {
  contact?: string
  window?: string
  'probe-at'?: string
  pace?: string
  address?: string
  parts?: string
  'retire-sample'?: boolean
  key?: boolean
  json?: boolean
}

function changesOf(values: Values): Partial<SourceSettings> {
  const [opensAt = '', closesAt = ''] = values.window?.split('-') ?? []
  const probe = values['probe-at']
  return {
    ...(values.contact === undefined ? {} : { contact: values.contact }),
    ...(values.window === undefined ? {} : { opensAt, closesAt }),
    ...(probe === undefined ? {} : { probeAt: probe === 'none' ? null : probe }),
    ...(values.pace === undefined ? {} : { paceMs: Math.round(Number(values.pace) * 1000) }),
    ...(values.address === undefined ? {} : { address: values.address }),
    ...(values.parts === undefined ? {} : { parts: values.parts }),
  }
}

function parse(args: string[]): { values: Values; positionals: string[] } {
  const option = { type: 'string' } as const
  try {
    const options = {
      contact: option,
      window: option,
      'probe-at': option,
      pace: option,
      address: option,
      parts: option,
      'retire-sample': { type: 'boolean' },
      key: { type: 'boolean' },
      json: { type: 'boolean' },
    } as const
    return parseArgs({ args, allowPositionals: true, options })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${INTAKE_USAGE}`, { cause: error })
  }
}

const count = (value: number) => value.toLocaleString('en-US')

const SHOWN_ROUNDS = 7

function statusLines(source: SourceOverview): string[] {
  const { halted, isOn, contact, probe, restsUntil, failure, coverage } = source
  const word = halted !== null ? `HALTED since ${halted.at}: ${halted.reason}` : isOn ? 'on' : 'off'
  return [
    `${source.source}: ${word}`,
    `  address   ${source.address}${source.parts === '' ? '' : ` (${source.parts})`}`,
    ...(source.needsContact ? [`  contact   ${contact ?? '(none: needed to switch it on)'}`] : []),
    ...(source.needsKey ? [`  key       ${source.hasKey ? 'kept sealed' : '(none: needed to switch it on)'}`] : []),
    `  window    ${source.opensAt}-${source.closesAt}, one ${source.needsContact ? 'request' : 'look'} every ${source.paceMs / 1000} s, probe at ${source.probeAt ?? 'no hour'}`,
    `  last      request ${source.lastRunAt ?? '-'}, answer ${source.lastAnswerAt ?? '-'}, next round ${source.nextRunAt ?? '-'}`,
    ...(probe === null ? [] : [`  probe     ${probe.at}: ${probe.answered ? 'it answered' : 'no answer'}`]),
    ...(restsUntil === null ? [] : [`  rests     until ${restsUntil}`]),
    ...(failure === null ? [] : [`  failure   ${failure}`]),
    ...(coverage === null
      ? fileLines(source)
      : [
          `  agencies  ${count(coverage.agencies)}: ${count(coverage.reached)} answered within 7 days, ${count(coverage.never)} never; ${count(coverage.waiting)} questions wait`,
          `  came      ${count(coverage.announcements)} announcements; ${count(coverage.missing)} missing at ${count(coverage.incomplete)} agencies; last full night ${coverage.lastFullNight ?? 'none'}`,
        ]),
    ...source.rounds
      .slice(0, SHOWN_ROUNDS)
      .map(
        (night) =>
          `  ${night.night}  ${(night.outcome ?? 'goes on').padEnd(9)}  ${count(night.requests)} of ${count(night.planned)} questions, ${count(night.newItems)} new, ${count(night.changedItems)} changed, ${count(night.timeouts)} timeouts, ${count(night.refusals)} refusals`,
      ),
  ]
}

const SHOWN_FILES = 10

function fileLines({ files, progress, cameInAll }: SourceOverview): string[] {
  const left = progress?.secondsLeft == null ? '' : `, ${Math.ceil(progress.secondsLeft / 60)} min left`
  return [
    ...(progress === null
      ? []
      : [`  now       ${count(progress.done)} of ${count(progress.total)} ${progress.unit}${left}`]),
    `  came      ${count(cameInAll)} rows`,
    ...files.slice(0, SHOWN_FILES).map((file) => {
      const rows = `${count(file.rowsRead)} rows, ${count(file.rowsQuarantined)} quarantined, ${count(file.newProjects)} new, ${count(file.updatedProjects)} changed`
      return `  ${file.state.padEnd(9)} ${file.name}: ${file.reason ?? (file.state === 'imported' ? rows : `found ${file.foundAt}`)}`
    }),
  ]
}
