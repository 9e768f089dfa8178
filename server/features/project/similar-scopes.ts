import { PROJECT_METHOD_TYPES } from '#contract/project/project.ts'
import { provinceCoded, REGIONS } from '#contract/project/province.ts'
import { moneyRangeText } from '#contract/report/money-text.ts'
import { fiscalYear } from '#contract/thai/thai-date.ts'
import type { ComparedProject } from './queries-similar.ts'
import {
  countryKindToken,
  type Kind,
  provinceKindToken,
  type Road,
  regionKindToken,
  roadOf,
  unitKindToken,
} from './trait-tokens.ts'

/** One circle of projects to compare with. */
export type Scope = {
  /** Token of its decided projects with a reference price, and of those without. */
  readonly tokens: { readonly priced: number; readonly unpriced: number }
  /** Whether names must be alike, or kind of purchase and size are all. */
  readonly isAlike: boolean
  /** By which factor larger or smaller they may be. */
  readonly factor: number
  /** In Thai: where they are. */
  readonly where: string
}

/** A job three times as large, or a third, is still bid for in the same way; ten times only if nothing closer is known. */
const NEAR = 3
const FAR = 10

const ROAD_TEXTS: Readonly<Record<Road, string>> = {
  open: 'วิธีเชิญชวนทั่วไป',
  selective: 'วิธีคัดเลือก',
  specific: 'วิธีเฉพาะเจาะจง',
  other: 'วิธีเดียวกัน',
}

/** The circles around a project, the narrowest first. Without a province the country is all there is beyond the unit. */
export function scopesAround(project: ComparedProject): Scope[] {
  const both = (token: (kind: Kind) => number) => ({
    priced: token(kindOf(project, true)),
    unpriced: token(kindOf(project, false)),
  })
  const unit = {
    tokens: both((kind) => unitKindToken(project.department_id, kind)),
    where: `ของ${project.dept_sub_name || project.dept_name}`,
  }
  const country = { tokens: both(countryKindToken), where: 'ทั่วประเทศ' }
  const place = project.project_province === null ? undefined : provinceCoded(project.project_province)
  const province = place && {
    tokens: both((kind) => provinceKindToken(place.code, kind)),
    where: provinceText(place.th),
  }
  const region = place && {
    tokens: both((kind) => regionKindToken(place.region, kind)),
    where: `ใน${REGIONS.find(({ code }) => code === place.region)!.th}`,
  }
  const alike = [unit, province, region, country].filter((scope) => scope !== undefined)
  return [
    ...alike.map((scope) => ({ ...scope, isAlike: true, factor: NEAR })),
    { ...country, isAlike: true, factor: FAR },
    { ...(region ?? country), isAlike: false, factor: NEAR },
  ]
}

const provinceText = (name: string) => (name === 'กรุงเทพมหานคร' ? `ใน${name}` : `ในจังหวัด${name}`)

const kindOf = ({ method, method_type }: ComparedProject, isPriced: boolean): Kind => ({
  methodType: method_type,
  road: roadOf(method),
  isPriced,
})

type Range = { readonly from: number; readonly to: number }

/** What was compared, in one line that stands beside the figures. `days`: when they were decided. */
export function scopeText(
  { isAlike, where }: Scope,
  { method, method_type }: ComparedProject,
  { size, days }: { readonly size: Range | undefined; readonly days: readonly string[] },
): string {
  const type = PROJECT_METHOD_TYPES.find(({ code }) => code === method_type)?.th ?? method_type
  const range = size && moneyRangeText({ min: roughBaht(size.from), max: roughBaht(size.to) })
  return [
    isAlike ? `งาน${type}ที่ชื่อคล้ายกัน${where}` : `งาน${type}ทุกอย่าง${where} เพราะงานที่ชื่อคล้ายกันมีน้อยกว่า 10 โครงการ`,
    ROAD_TEXTS[roadOf(method)],
    range === undefined ? 'ทุกวงเงิน' : `วงเงิน ${range.endsWith('ล้าน') ? range : `${range} `}บาท`,
    ...yearsText(days),
  ].join(' · ')
}

/** Two digits are enough for a border that is drawn by a factor. */
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
