import path from 'node:path'
import { findProvinceByCode } from '#contract/thai/province.ts'
import {
  type AgencyDirectoryImportReport,
  type AgencyDirectoryRow,
  parseAgenciesWithFeedCodes,
  parseAgencyDirectory,
} from '#server/catalogue/department/parse-agency-directory.ts'
import {
  countAgenciesWithFeedCodes,
  listAgencyProvinces,
  replaceAgencyDirectory,
} from '#server/catalogue/department/queries.ts'
import { cleanFeedText } from '#server/catalogue/feed/clean-text.ts'
import { removeSpreadsheetArtefacts } from '#server/catalogue/feed/feed-field.ts'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { type FileTableColumns, openFileTable } from '#server/catalogue/feed/file/table-rows.ts'
import { findPublishedDataLoadCounts } from '#server/catalogue/feed/load-queries.ts'
import type { DataLoadReport } from '#server/catalogue/feed/load-report.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { isBudgetFile } from '#server/catalogue/feed/sources/budget-csv.ts'
import { replaceFeedAgencies } from '#server/catalogue/intake/replace-agencies.ts'
import type { PurchasingUnitImportReport } from '#server/catalogue/intake/units.ts'
import { ensureRealDataAllowed } from '#server/jobs/load/retire-demo-data.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { JobLease } from '#server/platform/queue/job-lease.ts'
import {
  getNightlyRunDate,
  MAX_DATA_LOAD_WAIT_MS,
  type RunDataLoadOptions,
  runDataLoad,
  withDataLoadLease,
} from '../load/run-load.ts'
import { BUDGET_SOURCE, type BudgetImportReport, importBudget } from './import-budget.ts'
import { importPurchasingUnits, PURCHASING_UNIT_SOURCE } from './import-purchasing-units.ts'
import { writeQuarantineFile } from './write-quarantine-file.ts'

export type FileImportRequest = {
  readonly file: string
  readonly source?: string | undefined
  readonly origin?: string | undefined
  /** If true, skips content that is already published, because each load resets the filters New and Updated (D3). */
  readonly isOnce?: boolean | undefined
  readonly retireSample?: boolean | undefined
}
export type FileImportReport = DataLoadReport & {
  readonly quarantineFile: string | undefined
}

export async function importProjectFile(
  db: Db,
  request: FileImportRequest,
  options: Pick<RunDataLoadOptions, 'onProgress' | 'signal' | 'night'> & {
    readonly dataDir: string
    readonly waitMs?: number
  },
): Promise<FileImportReport> {
  const feedFile = await openFeedFile(request.file, { source: request.source })
  const load = async (lease: JobLease): Promise<FileImportReport> => {
    const published = request.isOnce ? await findPublishedDataLoadCounts(db, feedFile.fingerprint) : undefined
    if (published)
      return {
        ...published,
        ...{ resumedAfterLine: 0, matched: 0, excluded: 0, seconds: 0 },
        quarantineFile: undefined,
      }
    const report = await runDataLoad(db, lease, feedFile.source, {
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
      quarantineFile: report.quarantined === 0 ? undefined : await writeQuarantineFile(db, report.loadId, folder),
    }
  }
  return await withDataLoadLease(db, load, options.waitMs ?? MAX_DATA_LOAD_WAIT_MS)
}

/** Value of `--source` for the dataset `egpdepartment` of data.go.th. */
export const AGENCY_DIRECTORY_SOURCE = 'egp-agencies'

/**
 * Imports projects, a year's budget or, selected by `source`, the directory of agencies or units. Refuses real projects
 * and budgets while demo data is present: rejects with `DemoDataPresentError`. A file belongs to the loads of its night, and a
 * past year is history whatever its source (decision 0059).
 */
export async function importDataFile(
  db: Db,
  request: FileImportRequest,
  { night = getNightlyRunDate(new Date()), ...options }: Parameters<typeof importProjectFile>[2],
): Promise<FileImportReport | AgencyDirectoryImportReport | PurchasingUnitImportReport | BudgetImportReport> {
  const { file, source } = request
  if (source === PURCHASING_UNIT_SOURCE) return await importPurchasingUnits(db, file)
  if (source === AGENCY_DIRECTORY_SOURCE)
    return await importAgencyDirectory(db, file, { isFetched: request.isOnce === true })
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
async function importAgencyDirectory(
  db: Db,
  file: string,
  { now = new Date(), isFetched = false }: { readonly now?: Date; readonly isFetched?: boolean } = {},
): Promise<AgencyDirectoryImportReport> {
  const startedAt = performance.now()
  const parsed = await readRows(file)
  const rows = parsed.hasProvinces ? parsed.rows : await withStoredProvinces(db, parsed.rows)
  const entries = parseAgencyDirectory(rows)
  if (entries.length === 0) throw new FeedFormatError(`ไฟล์ ${path.basename(file)} ไม่มีหน่วยงานสักแห่ง`)
  const currentCount = isFetched ? await countAgenciesWithFeedCodes(db) : 0
  const codes = parseAgenciesWithFeedCodes(rows)
  if (codes.length * 2 < currentCount)
    throw new FeedFormatError(`มีหน่วยงานเพียง ${codes.length} แห่ง ไม่ถึงครึ่งของ ${currentCount} แห่งที่รู้จัก จึงไม่แทนของเดิม`)
  await db.transaction(
    async (tx) => {
      await replaceAgencyDirectory(tx, entries, codes, now)
      await replaceFeedAgencies(tx, codes)
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
    (await listAgencyProvinces(db)).map(({ name, province }) => [name, findProvinceByCode(province)?.th ?? '']),
  )
  return rows.map((row) => ({ ...row, province: provinces.get(row.dept_name) ?? '' }))
}

type ParsedRows = { readonly rows: AgencyDirectoryRow[]; readonly broken: number; readonly hasProvinces: boolean }

const COLUMNS = {
  dept_code: { names: ['dept_code', 'รหัสหน่วยงาน'] },
  dept_name: { names: ['dept_name', 'ชื่อหน่วยงาน'] },
  province: { names: ['province', 'จังหวัด'], isOptional: true },
  affiliation: { names: ['affiliation', 'สังกัด'] },
} as const satisfies FileTableColumns<keyof AgencyDirectoryRow>

async function readRows(file: string): Promise<ParsedRows> {
  const parsed: AgencyDirectoryRow[] = []
  let broken = 0
  const { rows, hasColumn } = await openFileTable(file, COLUMNS)
  for await (const row of rows) {
    if ('cell' in row) parsed.push(toDirectoryRow(row.cell))
    else broken += 1
  }
  return { rows: parsed, broken, hasProvinces: hasColumn('province') }
}

function toDirectoryRow(cell: (column: keyof AgencyDirectoryRow) => string | undefined): AgencyDirectoryRow {
  const text = (column: keyof AgencyDirectoryRow) => cleanFeedText(cell(column) ?? '')
  return {
    dept_code: removeSpreadsheetArtefacts(text('dept_code')),
    dept_name: text('dept_name'),
    province: text('province'),
    affiliation: text('affiliation'),
  }
}
