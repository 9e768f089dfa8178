import type { SampleDepartment } from './sample-departments.ts'
import type { SampleProvince } from './sample-provinces.ts'
import type { SeededRandom } from './seeded-random.ts'

export type SampleTitleContext = {
  readonly random: SeededRandom
  readonly department: SampleDepartment
  /** Site of the project: province, district and subdistrict without their class words. */
  readonly province: SampleProvince
  readonly district: string
  readonly subdistrict: string
  /** Fiscal year in the Buddhist era. */
  readonly fiscalYear: number
  /** Amount in baht that the buyer aims for; a composer gets as close as its prices and counts allow. */
  readonly target: number
}

/** Formats the site as an address: "ตำบลก อำเภอข จังหวัดค", in Bangkok "แขวงก เขตข กรุงเทพมหานคร". */
export function formatSiteAddress(context: SampleTitleContext): string {
  const { province, district, subdistrict } = context
  if (province.code === 10) return `แขวง${subdistrict} เขต${district} ${province.th}`
  if (context.random.chance(0.1)) return `ต.${subdistrict} อ.${district} จ.${province.th}`
  return `ตำบล${subdistrict} อำเภอ${district} จังหวัด${province.th}`
}

export function composeFiscalYearPhrase(context: SampleTitleContext): string {
  return context.random.chance(0.78) ? `ประจำปีงบประมาณ พ.ศ. ${context.fiscalYear}` : `ปีงบประมาณ ${context.fiscalYear}`
}

export function composeBuyerPhrase(context: SampleTitleContext): string {
  const { department, random } = context
  if (random.chance(0.5)) return department.shortName
  return department.shortName.startsWith('อบต.') ? `ของ ${department.shortName}` : `ของ${department.shortName}`
}

/**
 * Formats 12500 as "12,500", with `decimals` places if given. Hand-written, because `toLocaleString` is 20 times
 * slower.
 */
export function formatSampleTitleNumber(value: number, decimals = 0): string {
  const [whole = '0', fraction] = value.toFixed(decimals).split('.')
  const groups: string[] = []
  for (let end = whole.length; end > 0; end -= 3) groups.unshift(whole.slice(Math.max(0, end - 3), end))
  const grouped = groups.join(',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

const THAI_DIGITS = '๐๑๒๓๔๕๖๗๘๙'

/** Converts to Thai digits, except in Latin words and codes such as "A4", "IPv6" or "5G". */
export function toThaiDigits(text: string): string {
  return text.replace(/[A-Za-z][A-Za-z\d./-]*|\d[\d.,]*[A-Za-z][A-Za-z\d]*|\d/gu, (run) =>
    run.length === 1 && run >= '0' && run <= '9' ? THAI_DIGITS[Number(run)]! : run,
  )
}

/** Rounds like official orders: whole below 40, then in fives, tens, fifties and so on. */
export function roundToPlausibleCount(count: number): number {
  const steps = [
    [40, 1],
    [100, 5],
    [500, 10],
    [2_000, 50],
    [10_000, 500],
    [100_000, 1_000],
  ] as const
  const step = steps.find(([limit]) => count < limit)?.[1] ?? 10_000
  return Math.max(1, Math.round(count / step) * step)
}

/**
 * Rounds to significant digits, like real prices and budgets; not to whole baht, because tablets cost fractions of one.
 */
export function roundToSignificantDigits(value: number, significant = 3): number {
  const step = 10 ** (Math.floor(Math.log10(value)) + 1 - significant)
  return Math.round(value / step) * step
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
