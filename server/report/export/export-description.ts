import type { Label } from '#contract/account/label.ts'
import { REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import { type FilterDisplayText, getSearchFilterTexts } from '#contract/report/filter-text.ts'
import type { TeamFilterNames } from '#contract/report/report-list-filter-choices.ts'
import { parseReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import { formatCount } from '#contract/thai/thai-number.ts'

export type ExportDescription = {
  readonly query: Readonly<Record<string, string>>
  readonly labels: readonly Label[]
  readonly team?: TeamFilterNames
  readonly userName: string
  readonly organisationName: string
  readonly requestedAt: string
  readonly dataTime: string | null
  readonly total: number
  readonly found: number
}

function orderingText({ ordering, ai_deep_search__in: sentences }: ReportSearch): string {
  if (ordering === undefined) return sentences ? 'ใกล้เคียงก่อน' : 'ล่าสุดก่อน'
  const field = ordering.replace(/^-/, '')
  const column = REPORT_COLUMNS.find(({ sort }) => sort === field)
  const directions = column?.kind === 'stage' ? ['ท้ายบอร์ดก่อน', 'ต้นบอร์ดก่อน'] : ['มากไปน้อย', 'น้อยไปมาก']
  return `${column?.title ?? field} ${directions[ordering.startsWith('-') ? 0 : 1]}`
}

const row = ({ label, value, negated }: FilterDisplayText): [string, string] => [
  label === '' ? 'เฉพาะ' : label,
  negated ? `ไม่ใช่ ${value}` : value,
]
const bangkok = (instant: string) => `${formatBangkokTime(new Date(instant))} น.`

export function formatExportTruncationNote({
  total,
  found,
}: Pick<ExportDescription, 'total' | 'found'>): string | undefined {
  if (found <= total) return undefined
  return `ไฟล์นี้มี ${formatCount(total)} โครงการแรกจากทั้งหมด ${formatCount(found)} โครงการ ใช้ตัวกรองให้แคบลงเพื่อส่งออกส่วนที่เหลือ`
}

export function buildExportDescriptionRows(about: ExportDescription): [name: string, value: string][] {
  const { search } = parseReportSearch(about.query)
  const filters = getSearchFilterTexts(search, about.labels, about.team)
  const note = formatExportTruncationNote(about)
  return [
    ['รายงาน', `รายงานโครงการ ${about.organisationName}`],
    ['จำนวนโครงการ', formatCount(about.total)],
    ...(note === undefined ? [] : [['หมายเหตุ', note] satisfies [string, string]]),
    ['ข้อมูล ณ', about.dataTime === null ? 'ยังไม่มีข้อมูล' : bangkok(about.dataTime)],
    ['ส่งออกเมื่อ', bangkok(about.requestedAt)],
    ['ส่งออกโดย', about.userName],
    ['เรียงตาม', orderingText(search)],
    ['ตัวกรอง', filters.length === 0 ? 'ไม่ได้ใช้ตัวกรอง' : `${filters.length} รายการ`],
    ...filters.map(row),
  ]
}
