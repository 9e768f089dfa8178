import type { CompanyComparison } from '#contract/market/company-comparison.ts'
import type { ChartColour } from '#src/ui/chart/chart-tone.ts'

const LETTERS = ['ก', 'ข', 'ค', 'ง', 'จ'] as const
const TONES: readonly ChartColour[] = [1, 2, 3, 4, 5]

export type ComparisonCompany = CompanyComparison['companies'][number] & {
  readonly index: number
  readonly letter: string
  readonly tone: ChartColour
  readonly shortName: string
  readonly isUs: boolean
}

export type ComparisonBlockProps = { comparison: CompanyComparison; companies: readonly ComparisonCompany[] }

const FORM_PREFIX = /^(บริษัท|บจก\.?|บมจ\.?|ห้างหุ้นส่วนจำกัด|ห้างหุ้นส่วนสามัญนิติบุคคล|ห้างหุ้นส่วนสามัญ|ห้างหุ้นส่วน|หจก\.?|หสน\.?)\s*/
const FORM_SUFFIX = /(?<!\s)\s*(จำกัด\s*\(มหาชน\)|\(มหาชน\)|จำกัด)\s*$/

/** Strips the legal form; returns the full name if nothing else remains. */
export function stripLegalForm(name: string): string {
  const short = name.trim().replace(FORM_PREFIX, '').replace(FORM_SUFFIX, '').trim()
  return short === '' ? name : short
}

const ABBREVIATIONS = [
  { before: /^บริษัท\s*/, behind: /(?<!\s)\s*จำกัด\s*\(มหาชน\)\s*$/, short: 'บมจ.' },
  { before: /^บริษัท\s*/, behind: /(?<!\s)\s*จำกัด\s*$/, short: 'บจก.' },
  { before: /^ห้างหุ้นส่วนจำกัด\s*/, behind: /$/, short: 'หจก.' },
] as const

export function abbreviateLegalForm(name: string): string {
  const fullName = name.trim()
  const abbreviation = ABBREVIATIONS.find(({ before, behind }) => before.test(fullName) && behind.test(fullName))
  const baseName = abbreviation && fullName.replace(abbreviation.before, '').replace(abbreviation.behind, '')
  return abbreviation && baseName ? `${abbreviation.short} ${baseName}` : fullName
}

export function toComparisonCompanies(comparison: CompanyComparison, us: string | undefined): ComparisonCompany[] {
  return comparison.companies.map((company, index) => ({
    ...company,
    index,
    letter: LETTERS[index] ?? String(index + 1),
    tone: TONES[index] ?? 8,
    shortName: stripLegalForm(company.name),
    isUs: us !== undefined && us === company.asked,
  }))
}
