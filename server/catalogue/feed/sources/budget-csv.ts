import { toArabicDigits } from '#contract/thai/thai-letters.ts'
import { toQuarantinedText } from '#server/catalogue/feed/clean-text.ts'
import { FeedFieldError, readFiscalYearCell, readMoneyCell, readTextCell } from '#server/catalogue/feed/feed-field.ts'
import { FeedFormatError, type FeedRejection } from '#server/catalogue/feed/feed-source.ts'
import { type CsvRow, readCsvRows } from '#server/catalogue/feed/file/csv-rows.ts'
import { readUnpackedBytes } from '#server/catalogue/feed/file/feed-file.ts'
import { readTextLines } from '#server/catalogue/feed/file/text-lines.ts'

/** One item of the public annual budget table. Amounts in satang, Buddhist year, null for absent text. */
export type BudgetRecord = {
  readonly sourceId: string
  readonly document: string
  readonly page: number | null
  readonly ministry: string
  readonly unit: string
  readonly plan: string | null
  readonly output: string | null
  readonly project: string | null
  readonly categories: readonly string[]
  readonly description: string
  readonly fiscalYear: number
  readonly amountSatang: number | null
  readonly isMultiYear: boolean
  readonly isCrossFunction: boolean
}

export type BudgetRow = { readonly line: number; readonly raw: string } & (
  | { readonly record: BudgetRecord }
  | { readonly rejected: FeedRejection }
)

const REQUIRED_COLUMNS = ['MINISTRY', 'BUDGETARY_UNIT', 'ITEM_DESCRIPTION', 'FISCAL_YEAR', 'AMOUNT'] as const
const CATEGORY_LEVELS = [1, 2, 3, 4, 5, 6].map((level) => `CATEGORY_LV${level}`)
const REPLACEMENT_CHARACTER = '\ufffd'

type ColumnIndexes = ReadonlyMap<string, number>

/** Maps column names to positions; CROSS_FUNC and OBLIGED with or without their question mark. */
function indexColumns(header: readonly string[]): ColumnIndexes {
  const namedColumns = header.map((name, index) => [name.trim().toUpperCase().replace(/\?$/, ''), index] as const)
  // The first of two columns with the same name wins.
  return new Map(namedColumns.toReversed().filter(([name]) => name !== ''))
}

export function looksLikeBudgetHeader(header: readonly string[]): boolean {
  const columns = indexColumns(header)
  return REQUIRED_COLUMNS.every((name) => columns.has(name))
}

/**
 * Returns true if the file, plain or packed, is a budget table. Returns false for unreadable files, because the project
 * importer reports the reason.
 */
export async function isBudgetFile(path: string): Promise<boolean> {
  try {
    for await (const row of readCsvRows(readTextLines(readUnpackedBytes(path))))
      return 'cells' in row && looksLikeBudgetHeader(row.cells)
    return false
  } catch (error) {
    if (error instanceof FeedFormatError) return false
    throw error
  }
}

/**
 * Reads rows of the public machine-readable budget (ITEM_ID, REF_DOC, …, OBLIGED?): plain, `.gz` or `.xz`; UTF-8 or
 * windows-874.
 * @throws FeedFormatError when the file is not such a table.
 */
export async function* readBudgetRows(path: string): AsyncGenerator<BudgetRow, void, undefined> {
  let columns: ColumnIndexes | undefined
  for await (const row of readCsvRows(readTextLines(readUnpackedBytes(path)))) {
    if (columns) {
      yield readRow(row, columns)
      continue
    }
    if (!('cells' in row)) throw new FeedFormatError(`บรรทัดที่ ${row.line}: อ่านหัวตารางไม่ได้ (${row.broken})`)
    columns = indexColumns(row.cells)
    const missing = REQUIRED_COLUMNS.filter((name) => !columns!.has(name))
    if (missing.length > 0) throw new FeedFormatError(`บรรทัดที่ 1: ไม่พบคอลัมน์ ${missing.join(', ')}`)
  }
  if (!columns) throw new FeedFormatError('บรรทัดที่ 1: ไฟล์ไม่มีหัวตาราง')
}

function readRow(row: CsvRow, columns: ColumnIndexes): BudgetRow {
  const { line, raw } = row
  const reject = (reason: string): BudgetRow => ({ line, raw, rejected: { reason, raw: toQuarantinedText(raw) } })
  if (!('cells' in row)) return reject(row.broken)
  if (raw.includes('\0')) return reject('มีอักขระ NUL ในแถว')
  if (raw.includes(REPLACEMENT_CHARACTER)) return reject('มีไบต์ที่ถอดเป็นตัวอักษรไม่ได้ในแถว')
  const { cells } = row
  const cell = (name: string) => cells[columns.get(name) ?? -1]
  try {
    return { line, raw, record: readRecord(cell) }
  } catch (error) {
    if (error instanceof FeedFieldError) return reject(error.message)
    throw error
  }
}

function readRecord(cell: (name: string) => string | undefined): BudgetRecord {
  const text = (name: string) => readTextCell(cell(name)) ?? null
  const needed = (name: string, label: string): string => {
    const value = text(name)
    if (value === null) throw new FeedFieldError(`${label}: ไม่มีค่า`)
    return value
  }
  const categories = CATEGORY_LEVELS.flatMap((name) => text(name) ?? [])
  // Salaries and the like have a category but no description.
  const description = text('ITEM_DESCRIPTION') ?? categories.at(-1)
  if (description === undefined) throw new FeedFieldError('ITEM_DESCRIPTION: ไม่มีค่า')
  const fiscalYear = readFiscalYearCell(cell('FISCAL_YEAR'))
  if (fiscalYear === null || fiscalYear === undefined) throw new FeedFieldError('FISCAL_YEAR: ไม่มีค่า')
  return {
    sourceId: text('ITEM_ID') ?? '',
    document: text('REF_DOC') ?? '',
    page: readPage(cell('REF_PAGE_NO')),
    ministry: needed('MINISTRY', 'MINISTRY'),
    unit: needed('BUDGETARY_UNIT', 'BUDGETARY_UNIT'),
    plan: text('BUDGET_PLAN'),
    output: text('OUTPUT'),
    project: text('PROJECT'),
    categories,
    description,
    fiscalYear,
    amountSatang: readMoneyCell(cell('AMOUNT'), 'AMOUNT') ?? null,
    isMultiYear: readFlag(cell('OBLIGED'), 'OBLIGED?'),
    isCrossFunction: readFlag(cell('CROSS_FUNC'), 'CROSS_FUNC?'),
  }
}

function readPage(cell: string | undefined): number | null {
  const page = Number(toArabicDigits(readTextCell(cell) ?? ''))
  return Number.isInteger(page) && page > 0 && page < 1_000_000 ? page : null
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['TRUE', true],
  ['1', true],
  ['FALSE', false],
  ['0', false],
])

function readFlag(cell: string | undefined, label: string): boolean {
  const text = readTextCell(cell)
  if (text === null || text === undefined) return false
  const flag = FLAGS.get(toArabicDigits(text).toUpperCase())
  if (flag === undefined) throw new FeedFieldError(`${label}: อ่าน "${text}" ไม่ได้`)
  return flag
}
