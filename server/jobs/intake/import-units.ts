import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { readCsvRows } from '#server/catalogue/feed/file/csv-rows.ts'
import { readUnpackedBytes } from '#server/catalogue/feed/file/feed-file.ts'
import { readTextLines } from '#server/catalogue/feed/file/text-lines.ts'
import { type PurchasingUnit, replaceUnits, type UnitImportReport } from '#server/catalogue/intake/units.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** Value of `--source` for the dataset `egpsubdepartment`: purchasing units of agencies. */
export const UNIT_SOURCE = 'egp-units'

const COLUMNS = ['sub_dept_code', 'dept_name'] as const
/** The format of `deptsubId` in the feed. */
const UNIT_CODE_PATTERN = /^\d{10}$/

/**
 * Imports purchasing units from a plain or compressed table and replaces the previous list. A query for a day with too
 * many results for one response is split by these units. Rejects with `FeedFormatError` when no unit belongs to a known
 * agency, e.g. before agencies are imported.
 */
export async function importUnits(db: Db, file: string): Promise<UnitImportReport> {
  const startedAt = performance.now()
  const units: PurchasingUnit[] = []
  let columnIndexes: readonly number[] | undefined
  let [readCount, broken] = [0, 0]
  for await (const row of readCsvRows(readTextLines(readUnpackedBytes(file)))) {
    if (!columnIndexes) {
      columnIndexes = findColumns('cells' in row ? row.cells : [])
      continue
    }
    readCount += 1
    const [code = '', agencyName = ''] =
      'cells' in row ? columnIndexes.map((columnIndex) => (row.cells[columnIndex] ?? '').trim()) : []
    if (UNIT_CODE_PATTERN.test(code) && agencyName !== '') units.push({ code, agencyName })
    else broken += 1
  }
  const stored = await db.transaction(async (tx) => {
    const count = await replaceUnits(tx, units)
    if (count === 0) throw new FeedFormatError('ไม่มีหน่วยย่อยของหน่วยงานที่รู้จักสักแห่ง นำเข้ารายชื่อหน่วยงานก่อน')
    return count
  })
  const seconds = (performance.now() - startedAt) / 1000
  return { read: readCount, broken, units: stored, unplaced: units.length - stored, seconds }
}

function findColumns(header: readonly string[]): readonly number[] {
  const names = header.map((name) => name.trim())
  const missing = COLUMNS.filter((column) => !names.includes(column))
  if (missing.length > 0) throw new FeedFormatError(`บรรทัดที่ 1: ไม่พบคอลัมน์ ${missing.join(', ')}`)
  return COLUMNS.map((column) => names.indexOf(column))
}
