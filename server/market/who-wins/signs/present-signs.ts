import type { CompanyRef } from '#contract/market/company.ts'
import {
  MAX_UNUSUAL_AWARD_PATTERNS_PER_KIND,
  type UnusualAwardPattern,
  type UnusualAwardPatternCode,
  type UnusualAwardPatterns,
} from '#contract/market/unusual-award-patterns.ts'
import { findProvinceByCode } from '#contract/thai/province.ts'
import { toCompanyRef } from '#server/market/company/company-input.ts'
import { roundNullableShare } from '#server/market/company/company-scope.ts'
import { loadCompanyRefs } from '#server/market/company/queries/find.ts'
import type { AwardSet } from '#server/market/who-wins/award-set.ts'
import { formatMonthNumber } from '#server/market/who-wins/month-number.ts'
import {
  loadProcurementMethodNames,
  loadPurchasingUnits,
  type StoredPurchasingUnit,
} from '#server/market/who-wins/queries.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadline } from '#server/platform/engine/deadline.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import {
  countRecurringPairUnusualAwardPatterns,
  countSingleBidderUnusualAwardPatterns,
  loadKnownBids,
} from './count-bidder-signs.ts'
import { countBuyerShareUnusualAwardPatterns, countTwoWinnerUnusualAwardPatterns } from './count-buyer-share-signs.ts'
import { countPriceUnusualAwardPatterns } from './count-price-signs.ts'
import {
  toUnusualAwardPatternMethods,
  type UnusualAwardPatternFinding,
  type UnusualAwardPatternKindResult,
} from './sign-facts.ts'

export async function presentUnusualAwardPatterns(
  db: Db,
  awards: AwardSet,
): Promise<Omit<UnusualAwardPatterns, 'ignored_parameters'>> {
  const { won, countsBySign } = await countOnce(db, awards)
  const kinds = countsBySign.map(([sign, kind]) => ({
    sign,
    ...kind,
    top: kind.signs.slice(0, MAX_UNUSUAL_AWARD_PATTERNS_PER_KIND),
  }))
  const topFindings = kinds.flatMap(({ top }) => top)
  const { companyIds } = awards.columns
  const names: SignNames = {
    companyIds,
    units: await loadPurchasingUnits(db, [...new Set(topFindings.flatMap(({ unit }) => unit ?? []))]),
    companies: await loadCompanyRefs(
      db,
      [...new Set(topFindings.flatMap(({ companies }) => companies))].map((of) => companyIds[of]!),
    ),
  }
  return {
    decided: awards.decided.length,
    won,
    computed_at: awards.computedAt,
    total: kinds.reduce((sum, { signs }) => sum + signs.length, 0),
    kinds: kinds.map(({ sign, projects, groups, signs, top }) => ({
      sign,
      projects,
      groups,
      total: signs.length,
      results: top.map((of) => presentSign(sign, of, names)),
    })),
  }
}

type UnusualAwardPatternCounts = Awaited<ReturnType<typeof countUnusualAwardPatterns>>
/**
 * Counts by the facts that they were counted from. Queries of the whole market share these facts, so all but the first
 * one find them here.
 */
const countsByFacts = new WeakMap<AwardSet['facts'], Promise<UnusualAwardPatternCounts>>()

function countOnce(db: Db, awards: AwardSet): Promise<UnusualAwardPatternCounts> {
  const counting = countsByFacts.get(awards.facts) ?? withoutDeadline(() => countUnusualAwardPatterns(db, awards))
  countsByFacts.set(awards.facts, counting)
  counting.catch(() => countsByFacts.delete(awards.facts))
  return counting
}

async function countUnusualAwardPatterns(db: Db, awards: AwardSet) {
  const methods = toUnusualAwardPatternMethods(await loadProcurementMethodNames(db))
  const bids = await loadKnownBids(awards, methods)
  const { lowDiscount, aboveReference, belowBorder } = await countPriceUnusualAwardPatterns(awards, methods)
  const twoWinners = await countTwoWinnerUnusualAwardPatterns(awards)
  const countsBySign: readonly (readonly [UnusualAwardPatternCode, UnusualAwardPatternKindResult])[] = [
    ['buyer_share', await countBuyerShareUnusualAwardPatterns(awards)],
    ['two_winners', twoWinners],
    ['same_two', await countRecurringPairUnusualAwardPatterns(awards, bids)],
    ['one_bidder', countSingleBidderUnusualAwardPatterns(awards, bids)],
    ['low_discount', lowDiscount],
    ['above_reference', aboveReference],
    ['below_threshold', belowBorder],
  ]
  return { won: twoWinners.projects, countsBySign }
}

type SignNames = {
  readonly companyIds: Int32Array
  readonly units: ReadonlyMap<number, StoredPurchasingUnit>
  readonly companies: ReadonlyMap<number, CompanyRef>
}

function presentSign(
  sign: UnusualAwardPatternCode,
  of: UnusualAwardPatternFinding,
  { companyIds, units, companies }: SignNames,
): UnusualAwardPattern {
  const unit = of.unit === undefined ? undefined : units.get(of.unit)
  const isOfUnit = sign === 'below_threshold'
  // A department without named units is its own single unit, so the sign does not name a unit.
  const isNamed = isOfUnit && unit?.sub_name !== '' && unit?.sub_name !== unit?.name
  const month = of.month === undefined ? null : formatMonthNumber(of.month)
  const ids = of.companies.map((company) => companyIds[company]!)
  return {
    agency: unit?.agency ?? null,
    unit: isNamed ? (unit?.sub_name ?? null) : null,
    // Omit the province if the agency's name is ambiguous, because the name then already includes it.
    province:
      isOfUnit && unit?.province && unit.agency === unit.name ? (findProvinceByCode(unit.province)?.th ?? null) : null,
    companies: ids.flatMap((id) => {
      const ref = companies.get(id)
      return ref ? [toCompanyRef(ref)] : []
    }),
    year_from: of.yearFrom || null,
    year_to: of.yearTo || null,
    month,
    count: of.count,
    n: of.n,
    share: roundNullableShare(of.share),
    value: satangToBaht(of.value ?? null),
    whole: satangToBaht(of.totalValue ?? null),
    usual: of.usual === undefined ? null : roundNullableShare(of.usual),
    beside: of.comparison ?? null,
    winners: of.winners ?? null,
    of_one: of.ofOne ?? null,
    ...signRows(sign, { ids, year: of.yearFrom, month: `${month}:${of.unit}`, agency: unit?.agency ?? '' }),
  }
}

type RowsContext = {
  readonly ids: readonly number[]
  readonly year: number
  readonly month: string
  readonly agency: string
}

/**
 * Returns the query values with which a client lists the projects behind a sign (parsed by sign-rows.ts). The agency is
 * the last part of a value, because its name may contain any character.
 */
function signRows(
  sign: UnusualAwardPatternCode,
  { ids, year, month, agency }: RowsContext,
): Pick<UnusualAwardPattern, 'rows' | 'n_rows' | 'beside_rows' | 'one_rows'> {
  const two = ids.join(':')
  const of = (rows: string, n: string) => ({ rows, n_rows: n, beside_rows: null, one_rows: null })
  switch (sign) {
    case 'buyer_share':
      return of(`buyer_share:${year}:${two}:${agency}`, `agency_year:${year}:${agency}`)
    case 'two_winners':
      return of(`two_winners:${two}:${agency}`, `won_at:${agency}`)
    case 'same_two':
      return of(`met_won:${two}`, `met:${two}`)
    case 'one_bidder':
      return of(`one_bidder:${agency}`, `known_bids:${agency}`)
    case 'low_discount':
      return of(`low_discount:${agency}`, `compared:${agency}`)
    case 'above_reference':
      return of(`above_reference:${agency}`, `compared:${agency}`)
    case 'below_threshold':
      return {
        rows: `below_threshold:${month}`,
        n_rows: `around_border:${month}`,
        beside_rows: `beside_border:${month}`,
        one_rows: `below_by_one:${month}:${two}`,
      }
  }
}
