import { PROJECT_METHOD_TYPES } from '#contract/catalogue/project.ts'
import { SIMILAR_STEPS, type SimilarStep } from '#contract/catalogue/similar-prices.ts'
import { moneyRangeText } from '#contract/thai/money-text.ts'
import { fiscalYear } from '#contract/thai/thai-date.ts'
import type { ComparedProject } from './similar-project-queries.ts'
import { type Road, roadOf, sizeAround } from './trait-tokens.ts'

/**
 * Bidding behaves alike for jobs up to three times larger or smaller; a factor of ten is used only if nothing closer
 * exists.
 */
const NEAR = 3
export const FAR = 10
/** Fiscal years, including the current one, before older ones are used. */
const YEARS = 3

export type Placed = {
  readonly agency: string
  readonly ministry: string | undefined
  readonly size_satang: number | null
  readonly decided_on: string | null
}

type Asked = {
  readonly agency: string
  readonly ministry: string | undefined
  readonly satang: number | undefined
  /** Today in Bangkok, ISO. */
  readonly today: string
}

export type Scope = {
  readonly step: SimilarStep
  /** Thai text: what this scope adds to the previous one. */
  readonly text: string
  readonly where: string
  readonly factor: number
  holds(project: Placed): boolean
}

/** Scopes around a project, narrowest first. Skips steps that need an unknown ministry or size. */
export function scopesAround(project: ComparedProject, asked: Asked): Scope[] {
  const year = fiscalYear(asked.today)
  const firstYear = year - YEARS + 1
  const near = sizeAround(asked.satang, NEAR)
  const isOwn = ({ agency }: Placed) => agency === asked.agency
  const isOfMinistry = (other: Placed) => isOwn(other) || other.ministry === asked.ministry
  const isRecent = ({ decided_on }: Placed) => decided_on !== null && fiscalYear(decided_on) >= firstYear
  const isNear = ({ size_satang: size }: Placed) =>
    near === undefined || (size !== null && size >= near.from && size <= near.to)
  const agency = project.dept_name || project.dept_sub_name
  const texts: Readonly<Record<SimilarStep, string>> = {
    agency: 'หน่วยงานเดียวกัน',
    ministry: `ทั้งสังกัด ${asked.ministry}`,
    all: 'ทุกหน่วยงาน',
    years: `รวมปีก่อน ${firstYear} ด้วย`,
    sizes: `วงเงินห่างกันได้ ${FAR} เท่า`,
  }
  const holds: Readonly<Record<SimilarStep, (other: Placed) => boolean>> = {
    agency: (other) => isOwn(other) && isRecent(other) && isNear(other),
    ministry: (other) => isOfMinistry(other) && isRecent(other) && isNear(other),
    all: (other) => isRecent(other) && isNear(other),
    years: isNear,
    sizes: () => true,
  }
  const isThere = (step: SimilarStep) =>
    step === 'ministry' ? asked.ministry !== undefined : step === 'sizes' ? near !== undefined : true
  return SIMILAR_STEPS.filter(isThere).map((step) => ({
    step,
    text: texts[step],
    where: step === 'agency' ? `ของ${agency}` : step === 'ministry' ? `ในสังกัด ${asked.ministry}` : 'ของทุกหน่วยงาน',
    factor: step === 'sizes' ? FAR : NEAR,
    holds: holds[step],
  }))
}

const ROAD_TEXTS: Readonly<Record<Road, string>> = {
  open: 'วิธีเชิญชวนทั่วไป',
  selective: 'วิธีคัดเลือก',
  specific: 'วิธีเฉพาะเจาะจง',
  other: 'วิธีเดียวกัน',
}

/** Describes the comparison in one line next to the figures. `days`: decision days. */
export function scopeText(
  { where, factor }: Pick<Scope, 'where' | 'factor'>,
  { method, method_type }: ComparedProject,
  { satang, days }: { readonly satang: number | undefined; readonly days: readonly string[] },
): string {
  const type = PROJECT_METHOD_TYPES.find(({ code }) => code === method_type)?.th ?? method_type
  const size = sizeAround(satang, factor)
  const range = size && moneyRangeText({ min: roughBaht(size.from), max: roughBaht(size.to) })
  return [
    `งาน${type}ที่ชื่อคล้ายกัน${where}`,
    ROAD_TEXTS[roadOf(method)],
    range === undefined ? 'ทุกวงเงิน' : `วงเงิน ${range.endsWith('ล้าน') ? range : `${range} `}บาท`,
    ...yearsText(days),
  ].join(' · ')
}

/** Two significant digits suffice for a bound derived from a factor. */
function roughBaht(satang: number): number {
  const baht = satang / 100
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(baht)) - 1)
  return Math.round(baht / unit) * unit
}

function yearsText(days: readonly string[]): string[] {
  const years = days.map(fiscalYear)
  if (years.length === 0) return []
  const [from, to] = [Math.min(...years), Math.max(...years)]
  return [`ปีงบประมาณ ${from === to ? from : `${from}–${to}`}`]
}
