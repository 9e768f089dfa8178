import { cleanFeedText } from '#server/catalogue/feed/clean-text.ts'
import { parseFeedDate } from '#server/catalogue/feed/feed-date.ts'
import { FeedFormatError } from '#server/catalogue/feed/feed-source.ts'
import { isProjectStatusText } from '#server/catalogue/feed/feed-vocabulary.ts'
import { CGD_CONTRACT_FIELDS, CGD_PROJECT_FIELDS, type CgdCells, type CgdField } from './parse-cgd-project.ts'

/**
 * Header of data.go.th `egp-contact-*` without blanks (the spelling varies: "จังหวัด(Eng)", "จังหวัด (Eng)"), in column
 * order.
 */
const THAI_HEADER: readonly (readonly [string, CgdField | null])[] = [
  ['รหัสโครงการ', 'project_id'],
  ['ชื่อโครงการ', 'project_name'],
  ['ชื่อประเภทโครงการ', 'project_type_name'],
  ['ชื่อหน่วยงาน', 'dept_name'],
  ['ชื่อหน่วยงานย่อย', 'dept_sub_name'],
  ['วิธีจัดซื้อฯ', 'purchase_method_name'],
  ['กลุ่มวิธีจัดซื้อฯ', 'purchase_method_group_name'],
  ['วันที่ประกาศ', 'announce_date'],
  ['งบประมาณ(บาท)', 'project_money'],
  ['ราคากลาง(บาท)', 'price_build'],
  ['ราคาตกลงซื้อ/จ้าง', 'sum_price_agree'],
  ['ปีงบประมาณ', 'budget_year'],
  ['วันที่เกิดรายการ', 'transaction_date'],
  ['จังหวัด', 'province'],
  ['จังหวัด(Eng)', null],
  ['เขต/อำเภอ', 'district'],
  ['เขต/อำเภอ(Eng)', null],
  ['แขวง/ตำบล', 'subdistrict'],
  ['แขวง/ตำบล(Eng)', null],
  ['สถานะโครงการ', 'project_status'],
  ['พิกัดของโครงการ', null],
  ['ละติจูดโครงการ', 'lat'],
  ['ลองจิจูดโครงการ', 'lon'],
  ['เลขนิติบุคคล', 'winner_tin'],
  ['ชื่อผู้ชนะ', 'winner'],
  ['เลขที่สัญญา', 'contract_no'],
  ['วันที่ลงนามสัญญา', 'contract_date'],
  ['วันที่สิ้นสุดสัญญา', 'contract_finish_date'],
  ['งบสัญญา(บาท)', 'contract_price_agree'],
  ['สถานะสัญญา', 'contract_status'],
]
const REQUIRED_FIELDS: readonly CgdField[] = ['project_id', 'project_name', 'dept_name']
const THAI_NAME_BY_FIELD = new Map(THAI_HEADER.map(([name, field]) => [field, name]))

export type CgdColumns = ReadonlyMap<CgdField, number>
export type CgdLayout = {
  readonly width: number
  readonly straight: CgdColumns
  /** Actual columns when the rows lack the three "(Eng)" columns; undefined when the header has no such columns. */
  readonly shifted: CgdColumns | undefined
}

export function isCgdHeader(header: readonly string[]): boolean {
  return header.some((name) => toCgdField(name) === 'project_id')
}

export function parseCgdHeader(header: readonly string[]): CgdLayout {
  const straight = indexFields(header.map(toCgdField))
  const missing = REQUIRED_FIELDS.filter((field) => !straight.has(field))
  if (missing.length > 0) {
    const names = missing.map((field) => `${THAI_NAME_BY_FIELD.get(field)} (${field})`).join(', ')
    throw new FeedFormatError(`บรรทัดที่ 1: หัวตารางขาดคอลัมน์ ${names}`)
  }
  const shifted = header.some(isEnglishName)
    ? indexFields(header.filter((name) => !isEnglishName(name)).map(toCgdField))
    : undefined
  return { width: header.length, straight, shifted }
}

/** Columns after จังหวัด that some headers lack although their rows have them. */
const OMITTED_COLUMNS = ['เขต/อำเภอ', 'แขวง/ตำบล']

/**
 * Returns the possible layouts by cell count. Files as downloaded have rows of 28 cells below headers of 31 names
 * (three surplus "(Eng)" columns) or of 26 (two missing); copies have as many cells as names.
 * @throws FeedFormatError like `parseCgdHeader`.
 */
export function getPossibleCgdLayouts(header: readonly string[]): ReadonlyMap<number, CgdLayout> {
  const layouts = new Map([[header.length, parseCgdHeader(header)]])
  const native = header.filter((name) => !isEnglishName(name))
  if (native.length < header.length) layouts.set(native.length, parseCgdHeader(native))
  const at = header.findIndex((name) => compact(name) === 'จังหวัด')
  const names = new Set(header.map(compact))
  if (at >= 0 && OMITTED_COLUMNS.every((name) => !names.has(name))) {
    const completeHeader = native.toSpliced(
      native.findIndex((name) => compact(name) === 'จังหวัด') + 1,
      0,
      ...OMITTED_COLUMNS,
    )
    layouts.set(completeHeader.length, parseCgdHeader(completeHeader))
  }
  return layouts
}

const isEnglishName = (name: string) => /\(Eng\)$/i.test(compact(name))
const compact = (name: string) => cleanFeedText(name).replace(/[\s"]/g, '')

/** "Project ID*" and "project-id" are project_id; "งบประมาณ" is "งบประมาณ(บาท)". */
const headerKey = (name: string) =>
  compact(name)
    .toLowerCase()
    .replace(/\(บาท\)|[_*:-]/g, '')

const FIELD_BY_KEY: ReadonlyMap<string, CgdField | undefined> = new Map([
  ...THAI_HEADER.map(([name, field]) => [headerKey(name), field ?? undefined] as const),
  ...[...CGD_PROJECT_FIELDS, ...CGD_CONTRACT_FIELDS].map((field) => [headerKey(field), field] as const),
  [headerKey('เลขที่โครงการ'), 'project_id'],
])

function toCgdField(name: string): CgdField | undefined {
  return FIELD_BY_KEY.get(headerKey(name))
}

function indexFields(fields: readonly (CgdField | undefined)[]): CgdColumns {
  const columns = new Map<CgdField, number>()
  fields.forEach((field, column) => {
    if (field === undefined) return
    if (columns.has(field))
      throw new FeedFormatError(`บรรทัดที่ 1: คอลัมน์ ${field} มีซ้ำ (คอลัมน์ที่ ${column + 1}) ลบคอลัมน์ที่ไม่ใช้ หรือเปลี่ยนชื่อ`)
    columns.set(field, column)
  })
  return columns
}

export type CgdRowAlignment = 'straight' | 'shifted' | 'unclear'

/**
 * Detects the layout of a row. Upstream rows lack the three "(Eng)" columns of their header, so everything after
 * จังหวัด shifts three columns left and the last three cells are empty; a corrected file would not shift. Checked per
 * row, since one file may mix both. `unclear` rows follow the other rows of the file.
 */
export function detectCgdRowAlignment(cells: readonly string[], layout: CgdLayout): CgdRowAlignment {
  if (layout.shifted === undefined) return 'straight'
  const isTailEmpty = cells.slice(layout.width - 3).every((cell) => cell.trim() === '')
  const shiftedScore = isTailEmpty ? scoreLayout(cells, layout.shifted) : 0
  const right = scoreLayout(cells, layout.straight)
  return shiftedScore > right ? 'shifted' : right > shiftedScore ? 'straight' : 'unclear'
}

function scoreLayout(cells: readonly string[], columns: CgdColumns): number {
  const cell = (field: CgdField) => cells[columns.get(field) ?? -1]?.trim() ?? ''
  const isDate = (text: string) => parseFeedDate(text) !== undefined
  return (
    Number(isProjectStatusText(cell('project_status'))) +
    Number(isDate(cell('contract_date'))) +
    Number(isDate(cell('contract_finish_date'))) +
    Number(isProjectStatusText(cell('contract_status')))
  )
}

export function toCgdCellsByField(cells: readonly string[], columns: CgdColumns): CgdCells {
  const cellByField: Partial<Record<CgdField, string>> = {}
  for (const [field, column] of columns) cellByField[field] = cells[column] ?? ''
  return cellByField
}
