import { toArabicDigits } from '#contract/thai/thai-letters.ts'
import { toQuarantinedText } from '#server/catalogue/feed/clean-text.ts'
import {
  FeedFieldError,
  parseFiscalYearCell,
  parseMoneyCell,
  parseTextCell,
} from '#server/catalogue/feed/feed-field.ts'
import { FeedFormatError, type FeedRejection } from '#server/catalogue/feed/feed-source.ts'
import { type FileTableColumns, type FileTableRow, openFileTable } from '#server/catalogue/feed/file/table-rows.ts'

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

export type BudgetCsvRow = { readonly line: number; readonly raw: string } & (
  | { readonly record: BudgetRecord }
  | { readonly rejected: FeedRejection }
)

const CATEGORY_LEVELS = [
  'CATEGORY_LV1',
  'CATEGORY_LV2',
  'CATEGORY_LV3',
  'CATEGORY_LV4',
  'CATEGORY_LV5',
  'CATEGORY_LV6',
] as const
const REQUIRED_COLUMNS = ['MINISTRY', 'BUDGETARY_UNIT', 'ITEM_DESCRIPTION', 'FISCAL_YEAR', 'AMOUNT'] as const
/** In some files the header names CROSS_FUNC and OBLIGED end in a question mark. */
const OPTIONAL_COLUMNS = [
  ...(['ITEM_ID', 'REF_DOC', 'REF_PAGE_NO', 'BUDGET_PLAN', 'OUTPUT', 'PROJECT', 'CROSS_FUNC', 'OBLIGED'] as const),
  ...CATEGORY_LEVELS,
] as const
type Column = (typeof REQUIRED_COLUMNS)[number] | (typeof OPTIONAL_COLUMNS)[number]
const COLUMNS = Object.fromEntries([
  ...REQUIRED_COLUMNS.map((name) => [name, { names: [name] }] as const),
  ...OPTIONAL_COLUMNS.map((name) => [name, { names: [name], isOptional: true }] as const),
]) as FileTableColumns<Column>
const REPLACEMENT_CHARACTER = '\ufffd'

/**
 * Returns true if the file, plain or packed, is a budget table. Returns false for unreadable files, because the project
 * importer reports the reason.
 */
export async function isBudgetFile(path: string): Promise<boolean> {
  try {
    const { rows } = await openFileTable(path, COLUMNS)
    await rows.return()
    return true
  } catch (error) {
    if (error instanceof FeedFormatError) return false
    throw error
  }
}

/**
 * Reads rows of the public machine-readable budget (ITEM_ID, REF_DOC, …, OBLIGED?): plain, packed or a workbook; UTF-8
 * or windows-874.
 * @throws FeedFormatError when the file is not such a table.
 */
export async function* readBudgetRows(path: string): AsyncGenerator<BudgetCsvRow, void, undefined> {
  const { rows } = await openFileTable(path, COLUMNS)
  for await (const row of rows) yield readRow(row)
}

function readRow(row: FileTableRow<Column>): BudgetCsvRow {
  const { line, raw } = row
  const reject = (reason: string): BudgetCsvRow => ({ line, raw, rejected: { reason, raw: toQuarantinedText(raw) } })
  if ('broken' in row) return reject(row.broken)
  if (raw.includes('\0')) return reject('มีอักขระ NUL ในแถว')
  if (raw.includes(REPLACEMENT_CHARACTER)) return reject('มีไบต์ที่ถอดเป็นตัวอักษรไม่ได้ในแถว')
  try {
    return { line, raw, record: readRecord(row.cell) }
  } catch (error) {
    if (error instanceof FeedFieldError) return reject(error.message)
    throw error
  }
}

function readRecord(cell: (name: Column) => string | undefined): BudgetRecord {
  const text = (name: Column) => parseTextCell(cell(name)) ?? null
  const needed = (name: Column, label: string): string => {
    const value = text(name)
    if (value === null) throw new FeedFieldError(`${label}: ไม่มีค่า`)
    return value
  }
  const categories = CATEGORY_LEVELS.flatMap((name) => text(name) ?? [])
  // Budget items such as salaries have a category but no description.
  const description = text('ITEM_DESCRIPTION') ?? categories.at(-1)
  if (description === undefined) throw new FeedFieldError('ITEM_DESCRIPTION: ไม่มีค่า')
  const fiscalYear = parseFiscalYearCell(cell('FISCAL_YEAR'))
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
    amountSatang: parseMoneyCell(cell('AMOUNT'), 'AMOUNT') ?? null,
    isMultiYear: readFlag(cell('OBLIGED'), 'OBLIGED?'),
    isCrossFunction: readFlag(cell('CROSS_FUNC'), 'CROSS_FUNC?'),
  }
}

function readPage(cell: string | undefined): number | null {
  const page = Number(toArabicDigits(parseTextCell(cell) ?? ''))
  return Number.isInteger(page) && page > 0 && page < 1_000_000 ? page : null
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['TRUE', true],
  ['1', true],
  ['FALSE', false],
  ['0', false],
])

function readFlag(cell: string | undefined, label: string): boolean {
  const text = parseTextCell(cell)
  if (text === null || text === undefined) return false
  const flag = FLAGS.get(toArabicDigits(text).toUpperCase())
  if (flag === undefined) throw new FeedFieldError(`${label}: อ่าน "${text}" ไม่ได้`)
  return flag
}
