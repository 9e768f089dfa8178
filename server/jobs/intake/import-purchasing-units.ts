import { cleanFeedText } from '#server/catalogue/feed/clean-text.ts'
import { removeSpreadsheetArtefacts } from '#server/catalogue/feed/feed-field.ts'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { openFileTable } from '#server/catalogue/feed/file/table-rows.ts'
import {
  type PurchasingUnit,
  type PurchasingUnitImportReport,
  replacePurchasingUnits,
} from '#server/catalogue/intake/units.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** Value of `--source` for the dataset `egpsubdepartment`: purchasing units of agencies. */
export const PURCHASING_UNIT_SOURCE = 'egp-units'

const COLUMNS = { code: { names: ['sub_dept_code'] }, agency: { names: ['dept_name'] } } as const
/** Digits of `deptsubId` in the feed. A spreadsheet drops the first if it is 0. */
const UNIT_CODE_DIGITS = 10
const UNIT_CODE_PATTERN = /^\d{9,10}$/

/**
 * Imports purchasing units from a plain or compressed table and replaces the previous list. A query for a day with too
 * many results for one response is split by these units. Rejects with `FeedFormatError` when no unit belongs to a known
 * agency, e.g. before agencies are imported.
 */
export async function importPurchasingUnits(db: Db, file: string): Promise<PurchasingUnitImportReport> {
  const startedAt = performance.now()
  const units: PurchasingUnit[] = []
  let [readCount, broken] = [0, 0]
  const { rows } = await openFileTable(file, COLUMNS)
  for await (const row of rows) {
    readCount += 1
    const code = 'cell' in row ? removeSpreadsheetArtefacts(row.cell('code') ?? '') : ''
    const agencyName = 'cell' in row ? cleanFeedText(row.cell('agency') ?? '') : ''
    if (UNIT_CODE_PATTERN.test(code) && agencyName !== '')
      units.push({ code: code.padStart(UNIT_CODE_DIGITS, '0'), agencyName })
    else broken += 1
  }
  const stored = await db.transaction(async (tx) => {
    const count = await replacePurchasingUnits(tx, units)
    if (count === 0) throw new FeedFormatError('ไม่มีหน่วยย่อยของหน่วยงานที่รู้จักสักแห่ง นำเข้ารายชื่อหน่วยงานก่อน')
    return count
  })
  const seconds = (performance.now() - startedAt) / 1000
  return { read: readCount, broken, units: stored, unplaced: units.length - stored, seconds }
}
