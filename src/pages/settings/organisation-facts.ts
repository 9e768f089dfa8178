import { KEYWORD_LIST_FACTS } from '#contract/keyword.ts'
import type { CustomerConfig, KeywordList, Organisation } from '#contract/organisation.ts'
import { thaiDay } from '#contract/thai-date.ts'
import { shortMoneyText } from '#src/lib/money-text.ts'

const SHOWN_LISTS = ['include', 'exclude', 'ai_include', 'ai_exclude', 'deptsub_include'] as const

type KeywordLimit = {
  readonly list: KeywordList
  readonly name: string
  readonly limit: Extract<keyof CustomerConfig, `limit_${string}`>
}

/** Each watch list with the limit that holds for it, called as on /watch. */
export const KEYWORD_LIMITS: readonly KeywordLimit[] = SHOWN_LISTS.map((list) => {
  const { th, limit } = KEYWORD_LIST_FACTS[list]
  return { list, name: th, limit }
})

/** The days that the report covers. */
export function windowText(start: string | null, end: string | null): string {
  if (start && end) return `${thaiDay(start)} – ${thaiDay(end)}`
  if (start) return `ตั้งแต่ ${thaiDay(start)}`
  return end ? `ถึง ${thaiDay(end)}` : 'ทุกวัน'
}

/** `500 ล้านบาท`, `100,000 บาท`. */
const bahtText = (baht: number) => {
  const text = shortMoneyText(baht)
  return text.endsWith('ล้าน') ? `${text}บาท` : `${text} บาท`
}

const bahtOf = (text: string) => {
  const baht = Number.parseInt(text, 10)
  return Number.isFinite(baht) && baht > 0 ? baht : 0
}

/** The budgets that the report covers; a maximum of 0 is none (D8), and the sliders then end at `ceiling`. */
export function budgetText(
  { min_project_budget, max_project_budget }: Pick<CustomerConfig, 'min_project_budget' | 'max_project_budget'>,
  ceiling: number,
): string {
  const min = bahtOf(min_project_budget)
  const max = bahtOf(max_project_budget)
  const from = min === 0 ? '' : `ตั้งแต่ ${bahtText(min)}`
  if (max > 0) return from === '' ? `ไม่เกิน ${bahtText(max)}` : `${from} ถึง ${bahtText(max)}`
  return `${from || 'ทุกวงเงิน'} ไม่จำกัดสูงสุด (แถบเลือกแสดงถึง ${bahtText(ceiling)})`
}

/** The Buddhist fiscal years that may be looked at (D14); years are received in either calendar (C20). */
export function yearsText(
  organisation: Pick<Organisation, 'allow_access_budget_year' | 'is_access_budget_year' | 'is_access_budget_year_only'>,
): string {
  if (!organisation.is_access_budget_year && !organisation.is_access_budget_year_only) return 'ไม่อยู่ในแพ็กเกจ'
  const years = organisation.allow_access_budget_year
    .split(',')
    .map((year) => Number.parseInt(year.trim(), 10))
    .filter((year) => Number.isFinite(year))
    .map((year) => (year > 2400 ? year : year + 543))
    .toSorted((one, other) => other - one)
  return years.length === 0 ? 'ยังไม่มีปีในแพ็กเกจ' : [...new Set(years)].join(', ')
}

/** What the organisation may use, in words. */
export function featureFacts(organisation: Organisation): readonly { readonly name: string; readonly isOn: boolean }[] {
  const only = organisation.is_access_budget_year_only
  return [
    { name: 'รายงานโครงการและคำติดตาม', isOn: !only },
    { name: 'งบประมาณประจำปี', isOn: only || organisation.is_access_budget_year },
    { name: 'ข้อมูลบริษัท', isOn: !only && organisation.is_company_compare },
    { name: 'เปรียบเทียบบริษัท', isOn: !only && organisation.is_access_company_comparison },
    { name: 'ค้นด้วย AI', isOn: !only && organisation.customer_config.search_by_ai },
    { name: 'ค้นจากชื่อโครงการ', isOn: !only && organisation.customer_config.search_by_name },
    { name: 'ค้นจากหน่วยงาน', isOn: !only && organisation.customer_config.search_by_deptsub },
  ]
}
