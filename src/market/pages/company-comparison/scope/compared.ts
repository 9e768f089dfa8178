import type { Comparison } from '#contract/market/company-comparison.ts'
import type { ChartTone } from '#src/ui/chart/chart-tone.ts'

/** What a company is called where its name has no room; the letters of the Thai alphabet in order. */
const LETTERS = ['ก', 'ข', 'ค', 'ง', 'จ'] as const
const TONES: readonly ChartTone[] = [1, 2, 3, 4, 5]

export type Compared = Comparison['companies'][number] & {
  /** Place in the comparison, by which all other parts of it speak of the company. */
  readonly place: number
  readonly letter: string
  readonly tone: ChartTone
  /** Without its legal form, for heads of columns. */
  readonly shortName: string
  readonly isUs: boolean
}

export const letterOf = (place: number): string => LETTERS[place] ?? String(place + 1)
export const toneOf = (place: number): ChartTone => TONES[place] ?? 8

/** Legal forms in front and behind, long and abbreviated, as e-GP writes them. */
const FORM_BEFORE = /^(บริษัท|บจก\.?|บมจ\.?|ห้างหุ้นส่วนจำกัด|ห้างหุ้นส่วนสามัญนิติบุคคล|ห้างหุ้นส่วนสามัญ|ห้างหุ้นส่วน|หจก\.?|หสน\.?)\s*/
const FORM_BEHIND = /(?<!\s)\s*(จำกัด\s*\(มหาชน\)|\(มหาชน\)|จำกัด)\s*$/

/** A company's name without its legal form; the name itself where nothing else is in it. */
export function shortNameOf(name: string): string {
  const short = name.trim().replace(FORM_BEFORE, '').replace(FORM_BEHIND, '').trim()
  return short === '' ? name : short
}

const ABBREVIATIONS = [
  { before: /^บริษัท\s*/, behind: /(?<!\s)\s*จำกัด\s*\(มหาชน\)\s*$/, short: 'บมจ.' },
  { before: /^บริษัท\s*/, behind: /(?<!\s)\s*จำกัด\s*$/, short: 'บจก.' },
  { before: /^ห้างหุ้นส่วนจำกัด\s*/, behind: /$/, short: 'หจก.' },
] as const

/** With its legal form as people write it, for chips: `บจก. ธาราเมฆ`. */
export function briefNameOf(name: string): string {
  const whole = name.trim()
  const found = ABBREVIATIONS.find(({ before, behind }) => before.test(whole) && behind.test(whole))
  const rest = found && whole.replace(found.before, '').replace(found.behind, '')
  return found && rest ? `${found.short} ${rest}` : whole
}

/** The compared companies with what a screen calls and colours them by. `us`: as the address writes the one that is ours. */
export function comparedOf(comparison: Comparison, us: string | undefined): Compared[] {
  return comparison.companies.map((company, place) => ({
    ...company,
    place,
    letter: letterOf(place),
    tone: toneOf(place),
    shortName: shortNameOf(company.name),
    isUs: us !== undefined && us === company.asked,
  }))
}
