import { PROCUREMENT_METHOD_TYPES } from '#contract/catalogue/project.ts'
import { COMPARABLE_PRICE_SCOPES, type ComparablePriceScope } from '#contract/catalogue/similar-prices.ts'
import { formatMoneyRange } from '#contract/thai/money-text.ts'
import { getFiscalYear } from '#contract/thai/thai-date.ts'
import type { ComparedProject } from './similar-project-queries.ts'
import { getProcurementMethodGroup, getProjectSizeRangeAround, type ProcurementMethodGroup } from './trait-tokens.ts'

/**
 * Maximum size ratio of comparable jobs: bidding behaves similarly up to three times larger or smaller. A factor of ten
 * is used only if nothing closer exists.
 */
export const NEAR_SIZE_FACTOR = 3
export const MAX_COMPARABLE_SIZE_FACTOR = 10
const RECENT_YEARS = 3

export type ComparableScopeProject = {
  readonly agency: string
  readonly ministry: string | undefined
  readonly size_satang: number | null
  readonly decided_on: string | null
}

type ScopeOptions = {
  readonly agency: string
  readonly ministry: string | undefined
  readonly satang: number | undefined
  readonly today: string
}

export type SimilarProjectScope = {
  readonly step: ComparablePriceScope
  readonly text: string
  readonly buyersText: string
  readonly factor: number
  includes(project: ComparableScopeProject): boolean
}

export function buildSimilarProjectScopes(project: ComparedProject, options: ScopeOptions): SimilarProjectScope[] {
  const year = getFiscalYear(options.today)
  const firstYear = year - RECENT_YEARS + 1
  const near = getProjectSizeRangeAround(options.satang, NEAR_SIZE_FACTOR)
  const isOfAgency = ({ agency }: ComparableScopeProject) => agency === options.agency
  const isOfMinistry = (project: ComparableScopeProject) => isOfAgency(project) || project.ministry === options.ministry
  const isRecent = ({ decided_on }: ComparableScopeProject) =>
    decided_on !== null && getFiscalYear(decided_on) >= firstYear
  const isNear = ({ size_satang: size }: ComparableScopeProject) =>
    near === undefined || (size !== null && size >= near.from && size <= near.to)
  const agency = project.dept_name || project.dept_sub_name
  const texts: Readonly<Record<ComparablePriceScope, string>> = {
    agency: 'หน่วยงานเดียวกัน',
    ministry: `ทั้งสังกัด ${options.ministry}`,
    all: 'ทุกหน่วยงาน',
    years: `รวมปีก่อน ${firstYear} ด้วย`,
    sizes: `วงเงินห่างกันได้ ${MAX_COMPARABLE_SIZE_FACTOR} เท่า`,
  }
  const includes: Readonly<Record<ComparablePriceScope, (project: ComparableScopeProject) => boolean>> = {
    agency: (project) => isOfAgency(project) && isRecent(project) && isNear(project),
    ministry: (project) => isOfMinistry(project) && isRecent(project) && isNear(project),
    all: (project) => isRecent(project) && isNear(project),
    years: isNear,
    sizes: () => true,
  }
  const isAvailable = (step: ComparablePriceScope) =>
    step === 'ministry' ? options.ministry !== undefined : step === 'sizes' ? near !== undefined : true
  return COMPARABLE_PRICE_SCOPES.filter(isAvailable).map((step) => ({
    step,
    text: texts[step],
    buyersText:
      step === 'agency' ? `ของ${agency}` : step === 'ministry' ? `ในสังกัด ${options.ministry}` : 'ของทุกหน่วยงาน',
    factor: step === 'sizes' ? MAX_COMPARABLE_SIZE_FACTOR : NEAR_SIZE_FACTOR,
    includes: includes[step],
  }))
}

const METHOD_GROUP_TEXTS: Readonly<Record<ProcurementMethodGroup, string>> = {
  open: 'วิธีเชิญชวนทั่วไป',
  selective: 'วิธีคัดเลือก',
  specific: 'วิธีเฉพาะเจาะจง',
  other: 'วิธีเดียวกัน',
}

export function formatSimilarProjectScope(
  { buyersText, factor }: Pick<SimilarProjectScope, 'buyersText' | 'factor'>,
  { method, method_type }: ComparedProject,
  { satang, days }: { readonly satang: number | undefined; readonly days: readonly string[] },
): string {
  const type = PROCUREMENT_METHOD_TYPES.find(({ code }) => code === method_type)?.th ?? method_type
  const size = getProjectSizeRangeAround(satang, factor)
  const range = size && formatMoneyRange({ min: roughBaht(size.from), max: roughBaht(size.to) })
  return [
    `งาน${type}ที่ชื่อคล้ายกัน${buyersText}`,
    METHOD_GROUP_TEXTS[getProcurementMethodGroup(method)],
    range === undefined ? 'ทุกวงเงิน' : `วงเงิน ${range.endsWith('ล้าน') ? range : `${range} `}บาท`,
    ...yearsText(days),
  ].join(' · ')
}

function roughBaht(satang: number): number {
  const baht = satang / 100
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(baht)) - 1)
  return Math.round(baht / unit) * unit
}

function yearsText(days: readonly string[]): string[] {
  const years = days.map(getFiscalYear)
  if (years.length === 0) return []
  const [from, to] = [Math.min(...years), Math.max(...years)]
  return [`ปีงบประมาณ ${from === to ? from : `${from}–${to}`}`]
}
