import { parseArgs } from 'node:util'
import type { IntakeRequest, IntakeResult } from '#server/catalogue/intake/intake-commands.ts'
import { INTAKE_SOURCES, type IntakeSourceSettings, isIntakeSource } from '#server/catalogue/intake/intake-sources.ts'
import type { IntakeSourceOverview } from '#server/catalogue/intake/source-overviews.ts'
import { type CommandLineOutput, CommandUsageError } from './terminal.ts'

export const INTAKE_USAGE = `usage: npm run intake -- COMMAND
  status [--json]                settings, received and missing items of each source
  on SOURCE --contact ADDRESS    switch the source on; the address is sent with every request
     [--window 17:30-08:30] [--probe-at 12:00|none] [--pace SECONDS] [--address URL] [--parts 2568,2569]
     [--key] (prompted for, or one line of standard input) [--retire-sample]
  off SOURCE                     switch the source off; imported data stays
  run SOURCE                     replan this night and continue
  probe SOURCE                   send one request now; nothing is stored
sources: ${INTAKE_SOURCES.join(', ')}`

export async function runIntakeCommand(
  args: string[],
  runRequest: (request: IntakeRequest) => Promise<IntakeResult>,
  terminal: CommandLineOutput,
  readSecret?: (question: string) => Promise<string>,
): Promise<void> {
  const request = parseIntakeArgs(args)
  // Prompt for the key, because an argument is visible in the shell history and the process list.
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

export function parseIntakeArgs(args: string[]): IntakeRequest {
  const { values, positionals } = parse(args)
  const [command, source, ...extra] = positionals
  const hasOptions = Object.keys(values).length > 0
  const isStatus = command === 'status' && source === undefined
  if (isStatus && (!hasOptions || (values.json && Object.keys(values).length === 1))) return { command }
  if (source === undefined || extra.length > 0) throw new CommandUsageError(INTAKE_USAGE)
  if (!isIntakeSource(source)) throw new CommandUsageError(`there is no source ${source}\n${INTAKE_USAGE}`)
  if (command === 'on')
    return { command, source, changes: changesOf(values), ...(values['retire-sample'] ? { retireSample: true } : {}) }
  if ((command === 'off' || command === 'run' || command === 'probe') && !hasOptions) return { command, source }
  throw new CommandUsageError(INTAKE_USAGE)
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

function changesOf(values: Values): Partial<IntakeSourceSettings> {
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
    throw new CommandUsageError(`${(error as Error).message}\n${INTAKE_USAGE}`, { cause: error })
  }
}

const count = (value: number) => value.toLocaleString('en-US')

const MAX_ROUNDS_SHOWN = 7

function statusLines(source: IntakeSourceOverview): string[] {
  const { halted, isOn, contact, probe, restsUntil, failure, coverage } = source
  const state = halted !== null ? `HALTED since ${halted.at}: ${halted.reason}` : isOn ? 'on' : 'off'
  return [
    `${source.source}: ${state}`,
    `  address   ${source.address}${source.parts === '' ? '' : ` (${source.parts})`}`,
    ...(source.needsContact ? [`  contact   ${contact ?? '(none: required to switch the source on)'}`] : []),
    ...(source.needsKey
      ? [`  key       ${source.hasKey ? 'stored encrypted' : '(none: required to switch the source on)'}`]
      : []),
    `  window    ${source.opensAt}-${source.closesAt}, one ${source.needsContact ? 'request' : 'look'} every ${source.paceMs / 1000} s, probe at ${source.probeAt ?? 'no time'}`,
    `  last      request ${source.lastRunAt ?? '-'}, response ${source.lastAnswerAt ?? '-'}, next round ${source.nextRunAt ?? '-'}`,
    ...(probe === null ? [] : [`  probe     ${probe.at}: ${probe.answered ? 'it answered' : 'no answer'}`]),
    ...(restsUntil === null ? [] : [`  cooldown  until ${restsUntil}`]),
    ...(failure === null ? [] : [`  failure   ${failure}`]),
    ...(coverage === null
      ? fileLines(source)
      : [
          `  agencies  ${count(coverage.agencies)}: ${count(coverage.reached)} responded within 7 days, ${count(coverage.never)} never; ${count(coverage.waiting)} requests pending`,
          `  received  ${count(coverage.announcements)} announcements; ${count(coverage.missing)} missing at ${count(coverage.incomplete)} agencies; last full night ${coverage.lastFullNight ?? 'none'}`,
        ]),
    ...source.rounds
      .slice(0, MAX_ROUNDS_SHOWN)
      .map(
        (night) =>
          `  ${night.night}  ${(night.outcome ?? 'goes on').padEnd(9)}  ${count(night.requests)} of ${count(night.planned)} requests, ${count(night.newItems)} new, ${count(night.changedItems)} changed, ${count(night.timeouts)} timeouts, ${count(night.refusals)} refusals`,
      ),
  ]
}

const MAX_FILES_SHOWN = 10

function fileLines({ files, progress, totalReceived }: IntakeSourceOverview): string[] {
  const left = progress?.secondsLeft == null ? '' : `, ${Math.ceil(progress.secondsLeft / 60)} min left`
  return [
    ...(progress === null
      ? []
      : [`  now       ${count(progress.done)} of ${count(progress.total)} ${progress.unit}${left}`]),
    `  received  ${count(totalReceived)} rows`,
    ...files.slice(0, MAX_FILES_SHOWN).map((file) => {
      const rows = `${count(file.rowsRead)} rows, ${count(file.rowsQuarantined)} quarantined, ${count(file.newProjects)} new, ${count(file.updatedProjects)} changed`
      return `  ${file.state.padEnd(9)} ${file.name}: ${file.reason ?? (file.state === 'imported' ? rows : `found ${file.foundAt}`)}`
    }),
  ]
}
