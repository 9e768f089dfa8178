import path from 'node:path'
import { provinceByCode } from '#contract/thai/province.ts'
import { countAgencyCodes, listProvinces, replaceAgencyDirectory } from '#server/catalogue/department/queries.ts'
import {
  AGENCY_DIRECTORY_COLUMNS,
  type AgencyDirectoryRow,
  type DirectoryImportReport,
  readAgencyCodes,
  readAgencyDirectory,
} from '#server/catalogue/department/read-directory.ts'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { readCsvRows } from '#server/catalogue/feed/file/csv-rows.ts'
import { readUnpackedBytes } from '#server/catalogue/feed/file/feed-file.ts'
import { readTextLines } from '#server/catalogue/feed/file/text-lines.ts'
import { findPublishedCounts } from '#server/catalogue/feed/load-queries.ts'
import type { LoadReport } from '#server/catalogue/feed/load-report.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { isBudgetFile } from '#server/catalogue/feed/sources/budget-csv.ts'
import { replaceAgencies } from '#server/catalogue/intake/replace-agencies.ts'
import type { UnitImportReport } from '#server/catalogue/intake/units.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { JobLease } from '#server/platform/queue/lease.ts'
import { ensureRealDataAllowed } from '../load/retire-sample.ts'
import { MAX_LOAD_WAIT_MS, nightDateOf, type RunLoadOptions, runLoad, withLoadLease } from '../load/run-load.ts'
import { BUDGET_SOURCE, type BudgetImportReport, importBudget } from './import-budget.ts'
import { importUnits, UNIT_SOURCE } from './import-units.ts'
import { writeQuarantine } from './write-quarantine.ts'

export type ImportRequest = {
  readonly file: string
  readonly source?: string | undefined
  readonly origin?: string | undefined
  /** If true, skips content that is already published, because each load resets New and Updated (D3). */
  readonly isOnce?: boolean | undefined
  readonly retireSample?: boolean | undefined
}
export type FileImportReport = LoadReport & {
  readonly quarantineFile: string | undefined
}

export async function importProjectFile(
  db: Db,
  request: ImportRequest,
  options: Pick<RunLoadOptions, 'onProgress' | 'signal' | 'night'> & {
    readonly dataDir: string
    readonly waitMs?: number
  },
): Promise<FileImportReport> {
  const feedFile = await openFeedFile(request.file, { source: request.source })
  const load = async (lease: JobLease): Promise<FileImportReport> => {
    const published = request.isOnce ? await findPublishedCounts(db, feedFile.fingerprint) : undefined
    if (published)
      return {
        ...published,
        ...{ resumedAfterLine: 0, matched: 0, excluded: 0, seconds: 0 },
        quarantineFile: undefined,
      }
    const report = await runLoad(db, lease, feedFile.source, {
      origin: request.origin ?? path.basename(request.file),
      fingerprint: feedFile.fingerprint,
      onProgress: options.onProgress,
      signal: options.signal,
      night: options.night,
      needsRows: true,
    })
    const folder = path.join(options.dataDir, 'quarantine')
    return {
      ...report,
      quarantineFile: report.quarantined === 0 ? undefined : await writeQuarantine(db, report.loadId, folder),
    }
  }
  return await withLoadLease(db, load, options.waitMs ?? MAX_LOAD_WAIT_MS)
}

/** Value of `--source` for the dataset `egpdepartment` of data.go.th. */
export const AGENCY_SOURCE = 'egp-agencies'

/**
 * Imports projects, a year's budget or, selected by `source`, the directory of agencies or units. Refuses real projects
 * and budgets while demo data is present: rejects with `SampleStillIn`. A file belongs to the loads of its night, and a
 * past year is history whatever its source (decision 0059).
 */
export async function importAnyFile(
  db: Db,
  request: ImportRequest,
  { night = nightDateOf(new Date()), ...options }: Parameters<typeof importProjectFile>[2],
): Promise<FileImportReport | DirectoryImportReport | UnitImportReport | BudgetImportReport> {
  const { file, source } = request
  if (source === UNIT_SOURCE) return await importUnits(db, file)
  if (source === AGENCY_SOURCE) return await importAgencyDirectory(db, file, { isFetched: request.isOnce === true })
  const isBudget = source === BUDGET_SOURCE || (source === undefined && (await isBudgetFile(file)))
  if (request.retireSample && !isBudget) await openFeedFile(file, { source })
  await ensureRealDataAllowed(db, request.retireSample === true)
  if (isBudget) return await importBudget(db, file, options)
  return await importProjectFile(db, request, { ...options, night })
}

/**
 * Imports the directory of agencies from a table, plain or compressed, and replaces the previous one in one
 * transaction. With `isFetched` no person has reviewed the file, so it is refused if it lists less than half of the
 * current agencies.
 */
export async function importAgencyDirectory(
  db: Db,
  file: string,
  { now = new Date(), isFetched = false }: { readonly now?: Date; readonly isFetched?: boolean } = {},
): Promise<DirectoryImportReport> {
  const startedAt = performance.now()
  const parsed = await readRows(file)
  const rows = parsed.hasProvinces ? parsed.rows : await withStoredProvinces(db, parsed.rows)
  const entries = readAgencyDirectory(rows)
  if (entries.length === 0) throw new FeedFormatError(`ไฟล์ ${path.basename(file)} ไม่มีหน่วยงานสักแห่ง`)
  const currentCount = isFetched ? await countAgencyCodes(db) : 0
  const codes = readAgencyCodes(rows)
  if (codes.length * 2 < currentCount)
    throw new FeedFormatError(`มีหน่วยงานเพียง ${codes.length} แห่ง ไม่ถึงครึ่งของ ${currentCount} แห่งที่รู้จัก จึงไม่แทนของเดิม`)
  await db.transaction(
    async (tx) => {
      await replaceAgencyDirectory(tx, entries, codes, now)
      await replaceAgencies(tx, codes)
    },
    { idleTimeoutMs: 0 },
  )
  const ministries = new Set(entries.map(({ ministry }) => ministry)).size
  const seconds = (performance.now() - startedAt) / 1000
  return { read: rows.length + parsed.broken, broken: parsed.broken, agencies: entries.length, ministries, seconds }
}

/** Adds the stored provinces to the rows, because the published dataset has none. */
async function withStoredProvinces(db: Db, rows: readonly AgencyDirectoryRow[]): Promise<AgencyDirectoryRow[]> {
  const provinces = new Map(
    (await listProvinces(db)).map(({ name, province }) => [name, provinceByCode(province)?.th ?? '']),
  )
  return rows.map((row) => ({ ...row, province: provinces.get(row.dept_name) ?? '' }))
}

type ParsedRows = { readonly rows: AgencyDirectoryRow[]; readonly broken: number; readonly hasProvinces: boolean }

async function readRows(file: string): Promise<ParsedRows> {
  const rows: AgencyDirectoryRow[] = []
  let columnIndexes: readonly number[] | undefined
  let broken = 0
  for await (const row of readCsvRows(readTextLines(readUnpackedBytes(file)))) {
    if (!columnIndexes) {
      columnIndexes = findColumns('cells' in row ? row.cells : [])
      continue
    }
    if ('cells' in row) rows.push(toDirectoryRow(row.cells, columnIndexes))
    else broken += 1
  }
  return { rows, broken, hasProvinces: (columnIndexes?.[2] ?? -1) >= 0 }
}

/** Column names in the dataset and in copies of it. */
const THAI_COLUMNS = ['รหัสหน่วยงาน', 'ชื่อหน่วยงาน', 'จังหวัด', 'สังกัด']
const OPTIONAL_COLUMN = 2

function findColumns(header: readonly string[]): readonly number[] {
  const names = header.map((name) => name.trim())
  const columnIndexes = AGENCY_DIRECTORY_COLUMNS.map((column, index) => {
    const position = names.indexOf(column)
    return position === -1 ? names.indexOf(THAI_COLUMNS[index]!) : position
  })
  const missing = AGENCY_DIRECTORY_COLUMNS.filter(
    (_, index) => columnIndexes[index] === -1 && index !== OPTIONAL_COLUMN,
  )
  if (missing.length > 0) throw new FeedFormatError(`บรรทัดที่ 1: ไม่พบคอลัมน์ ${missing.join(', ')}`)
  return columnIndexes
}

function toDirectoryRow(cells: readonly string[], columnIndexes: readonly number[]): AgencyDirectoryRow {
  const cell = (index: number) => (cells[columnIndexes[index]!] ?? '').trim()
  return { dept_code: cell(0), dept_name: cell(1), province: cell(2), affiliation: cell(3) }
}
