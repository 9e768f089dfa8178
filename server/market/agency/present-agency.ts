import type { Agency, AgencyDaysToSignatureStatistics } from '#contract/market/agency.ts'
import type { AgencySearch } from '#contract/market/agency-params.ts'
import { MAX_RANKED_WINNERS, MIN_PROJECTS_TO_RANK_WINNERS } from '#contract/market/who-wins.ts'
import type { PurchaseFilter, WhoWinsScope } from '#server/market/who-wins/award-set.ts'
import { countAwards } from '#server/market/who-wins/count-awards.ts'
import type { KeyedTotals } from '#server/market/who-wins/keyed-totals.ts'
import { presentAwards } from '#server/market/who-wins/present-who-wins.ts'
import { type AwardSource, withPurchaseAwards } from '#server/market/who-wins/with-awards.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { findAgencyUnitIds, type ResolvedAgency } from './find-agency.ts'
import {
  findBudgetUnit,
  loadOrganisationAgencySummary,
  type OrganisationAgencyScope,
} from './organisation-agency-queries.ts'
import { type NamedPurchaseTotal, type StoredMethodDurations, summarisePurchases } from './queries.ts'

export type AgencyQuery = {
  readonly agency: ResolvedAgency
  readonly search: AgencySearch
  readonly scope: WhoWinsScope
  readonly hasPursuits: boolean
}

const sumOf = ({ n, spent }: Pick<NamedPurchaseTotal, 'n' | 'spent'>) => ({
  n,
  value: satangToBaht(spent),
})

function toAgencyDays({ n, lower, median, upper }: StoredMethodDurations): AgencyDaysToSignatureStatistics {
  return n < MIN_PROJECTS_TO_RANK_WINNERS ? { n, lower: null, median: null, upper: null } : { n, lower, median, upper }
}

export const toPurchaseFilter = ({ agency, search: { unit, year_from, year_to } }: AgencyQuery): PurchaseFilter => ({
  units: findAgencyUnitIds(agency, unit),
  yearFrom: year_from,
  yearTo: year_to,
})

export const toOrganisationAgencyScope = ({ agency, search, scope }: AgencyQuery): OrganisationAgencyScope => ({
  organisationId: scope.organisationId,
  userId: scope.userId,
  units: findAgencyUnitIds(agency, search.unit),
  today: scope.today,
})

/** Sums over all agencies, because a name without a province includes every agency of that name. */
function sumByCalendarMonth(months: KeyedTotals): number[] {
  const sums = Array<number>(12).fill(0)
  for (const { key, n } of months.all()) sums[key % 12] = sums[key % 12]! + n
  return sums
}

export async function presentAgency(
  source: AwardSource,
  query: AgencyQuery,
  maxCompanies = MAX_RANKED_WINNERS,
): Promise<Omit<Agency, 'ignored_parameters'>> {
  const { db } = source
  const { agency, search, scope } = query
  const purchases = toPurchaseFilter(query)
  const rank = search.rank ?? 'value'
  const agencyUnits = findAgencyUnitIds(agency, undefined)
  const ownScope = toOrganisationAgencyScope(query)
  // Three queries at a time, so that one page does not occupy all connections of the pool.
  const [awarded, summary, [ours, budget]] = await Promise.all([
    withPurchaseAwards(source, purchases, scope, async (awards) => {
      const counts = await countAwards(awards)
      const awardFigures = await presentAwards(db, awards, { rank, scope, limit: maxCompanies, counts })
      return { ...awardFigures, wonMonths: sumByCalendarMonth(counts.months) }
    }),
    summarisePurchases(db, { purchases, agencyUnits, scope }),
    loadOrganisationAgencySummary(db, ownScope, query.hasPursuits).then(
      async (loaded) => [loaded, await findBudgetUnit(db, agency)] as const,
    ),
  ])
  const { projects, backwards, terminated, announced, days, types } = summary
  const [overall, ...byMethod] = days
  const { units: _units, ...ref } = agency
  return {
    agency: { ...ref, same_name: [...ref.same_name] },
    years: [...summary.years],
    scope: awarded.scope,
    projects,
    decided: awarded.decided,
    won: awarded.won,
    figures: { ...awarded.figures, terminated },
    companies: awarded.companies,
    by_year: awarded.years,
    by_method: awarded.methods,
    by_type: types.map(({ name, ...sum }) => ({ method_type: name, ...sumOf(sum) })),
    by_group: summary.groups.map(({ id, name, ...sum }) => ({
      group: id === null ? null : { id, name: name ?? '' },
      ...sumOf(sum),
    })),
    units: {
      total: summary.unit_count,
      results: summary.units.map(({ name, ...sum }) => ({ unit: name, ...sumOf(sum) })),
    },
    announced: {
      n: announced.reduce((sum, { n }) => sum + n, 0),
      months: Array.from({ length: 12 }, (_, at) => announced.find(({ month }) => month === at + 1)?.n ?? 0),
    },
    awarded: { n: awarded.wonMonths.reduce((sum, n) => sum + n, 0), months: awarded.wonMonths },
    speed: {
      ...toAgencyDays(overall!),
      backwards,
      by_method: byMethod.map((row) => ({ method: row.method!, ...toAgencyDays(row) })),
    },
    ours: { matches: summary.matches, ...ours },
    budget,
  }
}
