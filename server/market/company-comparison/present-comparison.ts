import type { CompanyRef } from '#contract/market/company.ts'
import type {
  CommonProject,
  CompanyComparison,
  CompanyHeadToHead,
  ComparedCompany,
} from '#contract/market/company-comparison.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'
import {
  type DiscountColumns,
  roundNullableShare,
  toBidderCoverage,
  toBidFigures,
  toDiscountFigures,
} from '#server/market/company/company-scope.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import type { StoredCompanyHeadToHead } from './company-head-to-heads.ts'
import type { StoredCommonProject } from './compared-project-queries.ts'
import {
  formatProjectSizeBand,
  PROJECT_SIZE_BAND_NAMES,
  type StoredCompanyComparison,
  type StoredCompanySummary,
} from './comparison-figures.ts'

/** `asked`: the name or tax id by which the URL refers to the company. */
export type RequestedCompany = CompanyRef & { readonly asked: string }

const NO_WIN = { wins: 0, value_satang: null }

/** A company without facts in the scope has 0 wins; everything else is null. */
export function presentComparedCompany(
  company: RequestedCompany,
  stored: StoredCompanySummary | undefined,
): ComparedCompany {
  return {
    ...company,
    wins: stored?.wins ?? 0,
    value: satangToBaht(stored?.value_satang ?? null),
    bids: stored ? toBidFigures(stored) : null,
    discount: toDiscountFigures(stored ?? NO_DISCOUNT),
    median_contract: satangToBaht(stored?.median_contract_satang ?? null),
    departments: stored?.departments ?? 0,
    active_contracts: stored?.active_contracts ?? 0,
    last_win_date: stored?.last_win_on ?? null,
    coverage: stored ? toBidderCoverage(stored) : { full: 0, names: 0, winner: 0 },
  }
}

const NO_DISCOUNT: DiscountColumns = {
  discount_n: 0,
  discount_weighted: null,
  discount_median: null,
  budget_n: 0,
  budget_weighted: null,
  budget_median: null,
}

export function presentCompanyHeadToHeads(
  companies: number,
  stored: readonly StoredCompanyHeadToHead[],
): CompanyHeadToHead[] {
  const indexes = Array.from({ length: companies }, (_, index) => index)
  return indexes.flatMap((a) =>
    indexes.slice(a + 1).map((b): CompanyHeadToHead => {
      const match = stored.find((meeting) => meeting.a === a && meeting.b === b)
      if (!match) return { a, b, ...NEVER_MET }
      const { last_met_on: lastMet, ...figures } = match
      return {
        ...figures,
        mean_gap: roundedGap(figures.mean_gap),
        median_gap: roundedGap(figures.median_gap),
        last_met_date: lastMet,
      }
    }),
  )
}

/** Rounds away from zero on both sides, so that swapping a pair only flips the sign. */
function roundedGap(gap: number | null): number | null {
  if (gap === null || gap >= 0) return roundNullableShare(gap)
  return 0 - roundNullableShare(-gap)!
}

const NEVER_MET = {
  met: 0,
  a_won: 0,
  b_won: 0,
  others_won: 0,
  undecided: 0,
  mean_gap: null,
  median_gap: null,
  n_gap: 0,
  last_met_date: null,
}

export function presentCommonProject(stored: StoredCommonProject, companyIds: readonly number[]): CommonProject {
  const {
    decided_on: decided,
    estimate_satang: estimate,
    lowest_satang: lowest,
    parts,
    fiscal_year: _,
    ...row
  } = stored
  return {
    ...row,
    decided_date: decided,
    estimate_budget: satangToBaht(estimate),
    lowest_price: satangToBaht(lowest),
    parts: parts.map(({ company_id: id, price_satang: price, is_winner }) => ({
      company: companyIds.indexOf(id),
      price: satangToBaht(price),
      is_winner,
    })),
  }
}

type CompanyCells = CompanyComparison['departments'][number]['cells']

function cellsOf(
  companies: number,
  slices: readonly { companyIndex: number; wins: number; value_satang: number | null }[],
): CompanyCells {
  return Array.from({ length: companies }, (_, companyIndex) => {
    const { wins, value_satang: value } = slices.find((slice) => slice.companyIndex === companyIndex) ?? NO_WIN
    return { wins, value: satangToBaht(value) }
  })
}

export function presentComparedDepartments(
  companies: number,
  stored: StoredCompanyComparison['departments'],
): CompanyComparison['departments'] {
  return stored.map(({ department, cells }) => ({ department, cells: cellsOf(companies, cells) }))
}

type ComparisonMix = CompanyComparison['mix']
type StoredSlice = StoredCompanyComparison['mix'][number]
const DIMENSIONS = ['method', 'type', 'size', 'province'] as const
const UNKNOWN_COMPANY_MIX_VALUE = 'unknown'

function mixValueName({ dimension, code, text }: StoredSlice): string {
  if (dimension === 'size') return formatProjectSizeBand(code!)
  if (dimension === 'province')
    return (code === null ? undefined : findProvinceByCode(code)?.th) ?? UNKNOWN_COMPANY_MIX_VALUE
  return text ?? UNKNOWN_COMPANY_MIX_VALUE
}

const winsOf = ({ cells }: ComparisonMix[number]) => cells.reduce((sum, { wins }) => sum + wins, 0)

export function presentCompanyComparisonMix(companies: number, stored: StoredCompanyComparison['mix']): ComparisonMix {
  return DIMENSIONS.flatMap((dimension) => {
    const byValue = Map.groupBy(
      stored.filter((slice) => slice.dimension === dimension),
      mixValueName,
    )
    const rows = [...byValue].map(([value, slices]) => ({ dimension, value, cells: cellsOf(companies, slices) }))
    return rows.toSorted((x, y) =>
      dimension === 'size'
        ? PROJECT_SIZE_BAND_NAMES.indexOf(x.value) - PROJECT_SIZE_BAND_NAMES.indexOf(y.value)
        : Number(x.value === UNKNOWN_COMPANY_MIX_VALUE) - Number(y.value === UNKNOWN_COMPANY_MIX_VALUE) ||
          winsOf(y) - winsOf(x) ||
          (x.value < y.value ? -1 : 1),
    )
  })
}
