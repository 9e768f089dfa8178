import { isPersonalName } from '#contract/catalogue/natural-person.ts'
import {
  MAX_RANKED_WINNERS,
  MIN_PROJECTS_TO_RANK_WINNERS,
  type WhoWins,
  type WinningCompany,
  type WonProject,
} from '#contract/market/who-wins.ts'
import type { CompanyRankingCode } from '#contract/report/report-view.ts'
import { findProvinceByCode, getProvinceName } from '#contract/thai/province.ts'
import { toCompanyRef } from '#server/market/company/company-input.ts'
import { roundNullableShare, toBidFigures } from '#server/market/company/company-scope.ts'
import { getCompanyFactIndexes, MISSING_DAY_NUMBER } from '#server/market/company/memory/company-fact-columns.ts'
import { NATURAL_PERSON_TEXT } from '#server/market/company/present-projects.ts'
import { loadCompanyRefs } from '#server/market/company/queries/find.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { formatDayNumber } from '#server/platform/text/day-number.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import type { AwardSet, SearchAwardSet, WhoWinsScope } from './award-set.ts'
import { type AwardCounts, countAwards } from './count-awards.ts'
import {
  computeDiscountQuartiles,
  computeDiscountsBySizeBand,
  computeRankedMedianDiscount,
  toDiscountBins,
} from './discount-bins.ts'
import { compareByProjectCount, compareByTotalValue, type KeyedTotal } from './keyed-totals.ts'
import { formatMonthNumber } from './month-number.ts'
import {
  loadAgencyNames,
  loadBookmarkedProjectIds,
  loadProcurementMethodNames,
  loadTerminatedProjectIds,
  type StoredWonProject,
} from './queries.ts'
import {
  createCompanyRankComparator,
  getCompanyDiscountRates,
  getWinningCompanyIndexes,
  takeTop,
} from './rank-companies.ts'

const MAX_MONTHS = 36
const TOP_COMPANIES = 5

const day = (number: number) => (number === MISSING_DAY_NUMBER ? null : formatDayNumber(number))
const slice = ({ n, value }: KeyedTotal) => ({ n, value: satangToBaht(value) })

type PresentOptions = {
  readonly rank: CompanyRankingCode
  readonly scope: WhoWinsScope
  readonly limit?: number
  readonly counts?: AwardCounts
}

export async function presentWhoWins(
  db: Db,
  awards: SearchAwardSet,
  options: PresentOptions,
): Promise<Omit<WhoWins, 'ignored_parameters'>> {
  const awardFigures = await presentAwards(db, awards, options)
  const terminated = (await loadTerminatedProjectIds(db)).filter(awards.isMatched).length
  return { projects: awards.found, ...awardFigures, figures: { ...awardFigures.figures, terminated } }
}

export async function presentAwards(
  db: Db,
  awards: AwardSet,
  { rank, scope, limit = MAX_RANKED_WINNERS, counts: precomputed }: PresentOptions,
): Promise<Omit<WhoWins, 'ignored_parameters' | 'projects'>> {
  const counts = precomputed ?? (await countAwards(awards))
  const total = counts.total.of(0)
  const winners = getWinningCompanyIndexes(counts)
  const isRanked = counts.won >= MIN_PROJECTS_TO_RANK_WINNERS
  const top = isRanked ? takeTop(winners, limit, createCompanyRankComparator(counts, rank)) : []
  const [winner, names, full] = counts.coverage
  const withBidders = names + full
  return {
    scope: {
      universe: scope.isMarket ? 'all' : 'watch',
      year_from: counts.yearFrom,
      year_to: counts.yearTo,
      n: winner + names + full,
      coverage: { full, names, winner },
      computed_at: awards.computedAt,
      ...(counts.amountsInDoubt > 0 ? { amounts_in_doubt: counts.amountsInDoubt } : {}),
    },
    decided: awards.decided.length,
    won: counts.won,
    figures: {
      winners: winners.length,
      value: satangToBaht(total.value),
      n_value: counts.total.known(0),
      top_five_share: isRanked ? topShare(counts, winners, total.value) : null,
      bidders: {
        n: withBidders,
        mean: withBidders === 0 ? null : Math.round((counts.bidders / withBidders) * 100) / 100,
      },
      discount: computeDiscountQuartiles(counts.rates),
      against_budget: counts.againstBudget,
    },
    companies: {
      total: winners.length,
      is_ranked: isRanked,
      results: await presentCompanies(db, awards, counts, { companies: top, totalValue: total.value, scope }),
    },
    agencies: await presentAgencies(db, counts, limit),
    discount_bins: toDiscountBins(counts.bins),
    bands: computeDiscountsBySizeBand(counts.rates, counts.bases),
    years: counts.years.all().map((sum) => ({ year: sum.key, ...slice(sum) })),
    months: counts.months
      .all()
      .slice(-MAX_MONTHS)
      .map((sum) => ({ month: formatMonthNumber(sum.key), ...slice(sum) })),
    methods: await presentMethods(db, counts),
    provinces: counts.provinces
      .all()
      .sort(compareByProjectCount)
      .map((sum) => ({ province: findProvinceByCode(sum.key)?.th ?? null, ...slice(sum) })),
  }
}

function topShare(counts: AwardCounts, winners: readonly number[], totalValue: number | null): number | null {
  if (totalValue === null || totalValue === 0) return null
  const topCompanies = takeTop(winners, TOP_COMPANIES, createCompanyRankComparator(counts, 'value'))
  const won = topCompanies.reduce((sum, company) => sum + (counts.companies.value[company] || 0), 0)
  return roundNullableShare(won / totalValue)
}

type RankedCompanies = {
  readonly companies: readonly number[]
  readonly totalValue: number | null
  readonly scope: WhoWinsScope
}

async function presentCompanies(
  db: Db,
  awards: AwardSet,
  counts: AwardCounts,
  { companies, totalValue, scope }: RankedCompanies,
): Promise<WinningCompany[]> {
  const { columns } = awards
  const [refs, starred] = await Promise.all([
    loadCompanyRefs(
      db,
      companies.map((company) => columns.companyIds[company]!),
    ),
    loadBookmarkedProjectIds(db, scope.userId),
  ])
  const met = countMeetingsWithStarred(awards, companies, starred)
  const { wins, value, bids, decided, bidsWon, firstWin, lastWin, rated } = counts.companies
  return companies.flatMap((company) => {
    const ref = refs.get(columns.companyIds[company]!)
    if (!ref) return []
    const won = Number.isNaN(value[company]!) ? null : value[company]!
    return [
      {
        ...toCompanyRef(ref),
        wins: wins[company]!,
        value: satangToBaht(won),
        share: won === null || !totalValue ? null : roundNullableShare(won / totalValue),
        bids: toBidFigures({ bids: bids[company]!, bids_decided: decided[company]!, bids_won: bidsWon[company]! }),
        discount: {
          n: rated[company]!,
          median: roundNullableShare(computeRankedMedianDiscount(getCompanyDiscountRates(counts, company))),
        },
        first_win_date: day(firstWin[company]!),
        last_win_date: day(lastWin[company]!),
        met: met.get(company) ?? 0,
      },
    ]
  })
}

function countMeetingsWithStarred(
  { columns, facts, orderOfFact, orderOfId }: AwardSet,
  companies: readonly number[],
  starred: ReadonlySet<string>,
): Map<number, number> {
  const starredOrders = new Set(Array.from(starred, orderOfId))
  const isStarred = (fact: number) => starredOrders.has(orderOfFact(fact))
  return new Map(
    companies.map((company) => [company, getCompanyFactIndexes(columns, facts, company).filter(isStarred).length]),
  )
}

async function presentAgencies(db: Db, counts: AwardCounts, limit: number): Promise<WhoWins['agencies']> {
  const sums = counts.agencies.all()
  const top = takeTop(sums, limit, compareByTotalValue)
  const unit = ({ key }: KeyedTotal) => counts.unitOf[key]!
  const names = await loadAgencyNames(db, top.map(unit))
  return {
    total: sums.length,
    results: top.map((sum) => ({
      name: names.get(unit(sum)) ?? '',
      ...slice(sum),
      months: [...counts.agencyMonths.subarray(sum.key * 12, sum.key * 12 + 12)],
    })),
  }
}

async function presentMethods(db: Db, counts: AwardCounts): Promise<WhoWins['methods']> {
  const texts = await loadProcurementMethodNames(db)
  const methods = counts.methods.all().sort(compareByProjectCount)
  return methods.map((sum) => ({ method: texts.get(sum.key) ?? '', ...slice(sum) }))
}

/** Masks the names of natural persons, as company pages do. */
export function presentWonProject(row: StoredWonProject): WonProject {
  const { base, value } = row
  const companies = row.companies ?? []
  const announced = row.is_decided && row.winner_name !== null && companies.length === 0 ? [row.winner_name] : []
  const hasDiscount = base !== null && value !== null && row.is_against_budget === false
  return {
    project_id: row.project_id,
    name: row.name,
    dept_name: row.dept_name,
    project_province: getProvinceName(row.province),
    method: row.method,
    estimate_budget: satangToBaht(row.estimate),
    value: row.is_decided ? satangToBaht(row.spent) : null,
    discount: hasDiscount ? roundNullableShare((base - value) / base) : null,
    decided_date: row.is_decided ? row.decided_on : null,
    winners: [
      ...companies,
      ...announced.map((name) => (isPersonalName({ taxId: row.winner_tin, name }) ? NATURAL_PERSON_TEXT : name)),
    ],
    in_report: row.in_report,
  }
}
