import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { csvRows } from '#server/catalogue/feed/file/csv-rows.ts'
import { unpackedBytes } from '#server/catalogue/feed/file/feed-file.ts'
import { textLines } from '#server/catalogue/feed/file/text-lines.ts'
import { replaceUnits, type Unit, type UnitReport } from '#server/catalogue/intake/units.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** Value of `--source` for the dataset `egpsubdepartment`: purchasing units of agencies. */
export const UNIT_SOURCE = 'egp-units'

const COLUMNS = ['sub_dept_code', 'dept_name'] as const
/** `deptsubId` of the feed. */
const UNIT_CODE = /^\d{10}$/

/**
 * Imports the units used to split a day with too many results for one response, from a table, plain or compressed.
 * Replaces the previous list. Rejects with `FeedFormatError` when no unit belongs to a known agency, e.g. before
 * agencies are imported.
 */
export async function importUnits(db: Db, file: string): Promise<UnitReport> {
  const started = performance.now()
  const units: Unit[] = []
  let places: readonly number[] | undefined
  let [read, broken] = [0, 0]
  for await (const row of csvRows(textLines(unpackedBytes(file)))) {
    if (!places) {
      places = placesOf('cells' in row ? row.cells : [])
      continue
    }
    read += 1
    const [code = '', agencyName = ''] = 'cells' in row ? places.map((place) => (row.cells[place] ?? '').trim()) : []
    if (UNIT_CODE.test(code) && agencyName !== '') units.push({ code, agencyName })
    else broken += 1
  }
  const stored = await db.transaction(async (tx) => {
    const count = await replaceUnits(tx, units)
    if (count === 0) throw new FeedFormatError('ไม่มีหน่วยย่อยของหน่วยงานที่รู้จักสักแห่ง นำเข้ารายชื่อหน่วยงานก่อน')
    return count
  })
  const seconds = (performance.now() - started) / 1000
  return { read, broken, units: stored, unplaced: units.length - stored, seconds }
}

function placesOf(header: readonly string[]): readonly number[] {
  const names = header.map((name) => name.trim())
  const missing = COLUMNS.filter((column) => !names.includes(column))
  if (missing.length > 0) throw new FeedFormatError(`บรรทัดที่ 1: ไม่พบคอลัมน์ ${missing.join(', ')}`)
  return COLUMNS.map((column) => names.indexOf(column))
}
