import { parseArgs } from 'node:util'
import type { AgencyDirectoryImportReport } from '#server/catalogue/department/parse-agency-directory.ts'
import type { DataLoadProgress, DataLoadReport } from '#server/catalogue/feed/load-report.ts'
import { FEED_FILE_SOURCES } from '#server/catalogue/feed/open-feed-file.ts'
import type { PurchasingUnitImportReport } from '#server/catalogue/intake/units.ts'
import type { BudgetImportResult } from '#server/market/budget/budget-row.ts'
import { formatDataLoadReport, showDataLoadProgress } from './load-progress.ts'
import type { CommandLineOutput } from './terminal.ts'
import { CommandUsageError } from './terminal.ts'

export const IMPORT_USAGE = `usage: npm run import -- FILE [--source ${[...FEED_FILE_SOURCES, 'budget-csv', 'egp-agencies', 'egp-units'].join('|')}] [--retire-sample]`

type Quarantine = { readonly quarantineFile?: string | undefined }
type Report = (DataLoadReport | BudgetImportResult) & Quarantine
export type FileImporter = (
  request: { file: string; source?: string | undefined; retireSample?: boolean | undefined },
  onProgress: (progress: DataLoadProgress) => void,
) => Promise<Report | AgencyDirectoryImportReport | PurchasingUnitImportReport>

export async function runImportCommand(
  args: string[],
  importFile: FileImporter,
  terminal: CommandLineOutput,
): Promise<void> {
  const report = await importFile(parseImportArgs(args), showDataLoadProgress(terminal))
  if ('units' in report) {
    for (const line of unitLines(report)) terminal.log(line)
    return
  }
  if ('agencies' in report) {
    for (const line of directoryLines(report)) terminal.log(line)
    return
  }
  for (const line of 'budgetLoadId' in report ? budgetLines(report) : formatDataLoadReport(report)) terminal.log(line)
  if (report.quarantineFile) terminal.log(`rejected rows with their reasons: ${report.quarantineFile}`)
}

function budgetLines({
  fiscalYear,
  read,
  items,
  quarantined,
  unchanged,
  removed,
  seconds,
}: BudgetImportResult): string[] {
  const count = (value: number) => value.toLocaleString('en-US')
  return [
    `read ${count(read)} = imported ${count(items)} + quarantined ${count(quarantined)}`,
    `budget of fiscal year ${fiscalYear}: ${count(items - unchanged)} new items, ${count(unchanged)} kept, ${count(removed)} removed`,
    `took ${seconds.toFixed(1)} s`,
  ]
}

function directoryLines({ read, broken, agencies, ministries, seconds }: AgencyDirectoryImportReport): string[] {
  return [
    `read ${read.toLocaleString('en-US')} rows${broken > 0 ? `, ${broken.toLocaleString('en-US')} of them unreadable` : ''}`,
    `directory: ${agencies.toLocaleString('en-US')} agencies under ${ministries.toLocaleString('en-US')} ministries and kinds of body`,
    `took ${seconds.toFixed(1)} s`,
  ]
}

function unitLines({ read, broken, units, unplaced, seconds }: PurchasingUnitImportReport): string[] {
  const count = (value: number) => value.toLocaleString('en-US')
  return [
    `read ${count(read)} rows${broken > 0 ? `, ${count(broken)} of them unreadable` : ''}`,
    `units: ${count(units)} stored${unplaced > 0 ? `, ${count(unplaced)} of unknown or uncertain agencies` : ''}`,
    `took ${seconds.toFixed(1)} s`,
  ]
}

export function parseImportArgs(args: string[]): {
  file: string
  source: string | undefined
  retireSample?: boolean
} {
  const { values, positionals } = parse(args)
  const [file, ...extra] = positionals
  if (file === undefined || extra.length > 0) throw new CommandUsageError(IMPORT_USAGE)
  return { file, source: values.source, ...(values['retire-sample'] ? { retireSample: true } : {}) }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { source: { type: 'string' }, 'retire-sample': { type: 'boolean' } },
    })
  } catch (error) {
    throw new CommandUsageError(`${(error as Error).message}\n${IMPORT_USAGE}`, { cause: error })
  }
}
