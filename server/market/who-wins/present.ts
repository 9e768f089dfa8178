import { isNaturalPerson } from '#contract/catalogue/natural-person.ts'
import {
  FEWEST_RANKED,
  MOST_RANKED,
  type WhoWins,
  type WinningCompany,
  type WonProject,
} from '#contract/market/who-wins.ts'
import type { WinRank } from '#contract/report/report-view.ts'
import { provinceCoded } from '#contract/thai/province.ts'
import { refOf } from '#server/market/company/company-input.ts'
import { bidFigures, roundedShare } from '#server/market/company/company-scope.ts'
import { isoDay, NO_DAY } from '#server/market/company/memory/fact-columns.ts'
import { PERSON } from '#server/market/company/projects.ts'
import { loadCompanies } from '#server/market/company/queries/find.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Awarded, Awards, WinScope } from './awards.ts'
import { type CountedAwards, countAwards } from './count-awards.ts'
import { bandsOf, binsOf, quartilesOf, rankedMedianOf } from './discounts.ts'
import { monthText } from './month-number.ts'
import { agencyNames, methodTexts, type StoredWonProject, starredBy, terminatedProjects } from './queries.ts'
import { rankOf, ratesOf, topOf, winnersOf } from './rank-companies.ts'
import { dearestFirst, mostFirst, type Sum } from './sums.ts'

const MOST_MONTHS = 36
const TOP = 5

const baht = (satang: number | null) => (satang === null ? null : satang / 100)
const day = (number: number) => (number === NO_DAY ? null : isoDay(number))
const slice = ({ n, value }: Sum) => ({ n, value: baht(value) })

type Asked = {
  readonly rank: WinRank
  readonly scope: WinScope
  readonly most?: number
  readonly counted?: CountedAwards
}

/**
 * Counts the awards of a search, unless passed as `counted`, and builds the response. `most`: maximum number of
 * companies and agencies.
 */
export async function presentWhoWins(
  db: Db,
  awards: Awards,
  asked: Asked,
): Promise<Omit<WhoWins, 'ignored_parameters'>> {
  const answer = await presentAwarded(db, awards, asked)
  const terminated = (await terminatedProjects(db)).filter(awards.isFound).length
  return { projects: awards.found, ...answer, figures: { ...answer.figures, terminated } }
}

export async function presentAwarded(
  db: Db,
  awards: Awarded,
  { rank, scope, most = MOST_RANKED, counted: known }: Asked,
): Promise<Omit<WhoWins, 'ignored_parameters' | 'projects'>> {
  const counted = known ?? (await countAwards(awards))
  const total = counted.total.of(0)
  const winners = winnersOf(counted)
  const isRanked = counted.won >= FEWEST_RANKED
  const top = isRanked ? topOf(winners, most, rankOf(counted, rank)) : []
  const [winner, names, full] = counted.coverage
  const withBidders = names + full
  return {
    scope: {
      universe: scope.isMarket ? 'all' : 'watch',
      year_from: counted.yearFrom,
      year_to: counted.yearTo,
      n: winner + names + full,
      coverage: { full, names, winner },
      computed_at: awards.computedAt,
    },
    decided: awards.decided.length,
    won: counted.won,
    figures: {
      winners: winners.length,
      value: baht(total.value),
      n_value: counted.total.known(0),
      top_five_share: isRanked ? topShare(counted, winners, total.value) : null,
      bidders: {
        n: withBidders,
        mean: withBidders === 0 ? null : Math.round((counted.bidders / withBidders) * 100) / 100,
      },
      discount: quartilesOf(counted.rates),
      against_budget: counted.againstBudget,
    },
    companies: {
      total: winners.length,
      is_ranked: isRanked,
      results: await presentCompanies(db, awards, counted, { companies: top, whole: total.value, scope }),
    },
    agencies: await presentAgencies(db, counted, most),
    discount_bins: binsOf(counted.bins),
    bands: bandsOf(counted.rates, counted.bases),
    years: counted.years.all().map((sum) => ({ year: sum.key, ...slice(sum) })),
    months: counted.months
      .all()
      .slice(-MOST_MONTHS)
      .map((sum) => ({ month: monthText(sum.key), ...slice(sum) })),
    methods: await presentMethods(db, counted),
    provinces: counted.provinces
      .all()
      .sort(mostFirst)
      .map((sum) => ({ province: provinceCoded(sum.key)?.th ?? null, ...slice(sum) })),
  }
}

function topShare(counted: CountedAwards, winners: readonly number[], whole: number | null): number | null {
  if (whole === null || whole === 0) return null
  const first = topOf(winners, TOP, rankOf(counted, 'value'))
  const won = first.reduce((sum, company) => sum + (counted.companies.value[company] || 0), 0)
  return roundedShare(won / whole)
}

type Ranked = { readonly companies: readonly number[]; readonly whole: number | null; readonly scope: WinScope }

async function presentCompanies(
  db: Db,
  awards: Awarded,
  counted: CountedAwards,
  { companies, whole, scope }: Ranked,
): Promise<WinningCompany[]> {
  const { columns } = awards
  const [refs, starred] = await Promise.all([
    loadCompanies(
      db,
      companies.map((company) => columns.companyIds[company]!),
    ),
    starredBy(db, scope.userId),
  ])
  const met = countMet(awards, companies, starred)
  const { wins, value, bids, decided, bidsWon, first, last, rated } = counted.companies
  return companies.flatMap((company) => {
    const ref = refs.get(columns.companyIds[company]!)
    if (!ref) return []
    const won = Number.isNaN(value[company]!) ? null : value[company]!
    return [
      {
        ...refOf(ref),
        wins: wins[company]!,
        value: baht(won),
        share: won === null || !whole ? null : roundedShare(won / whole),
        bids: bidFigures({ bids: bids[company]!, bids_decided: decided[company]!, bids_won: bidsWon[company]! }),
        discount: { n: rated[company]!, median: roundedShare(rankedMedianOf(ratesOf(counted, company))) },
        first_win_date: day(first[company]!),
        last_win_date: day(last[company]!),
        met: met.get(company) ?? 0,
      },
    ]
  })
}

function countMet(
  { columns, facts, orderOfFact, idOfOrder }: Awarded,
  companies: readonly number[],
  starred: ReadonlySet<string>,
): Map<number, number> {
  const met = new Map(companies.map((company) => [company, 0]))
  if (starred.size === 0 || met.size === 0) return met
  const isShown = new Uint8Array(columns.companyIds.length)
  for (const company of companies) isShown[company] = 1
  for (const fact of facts) {
    const company = columns.company[fact]!
    if (isShown[company] === 1 && starred.has(idOfOrder(orderOfFact(fact)))) met.set(company, met.get(company)! + 1)
  }
  return met
}

async function presentAgencies(db: Db, counted: CountedAwards, most: number): Promise<WhoWins['agencies']> {
  const all = counted.agencies.all()
  const top = topOf(all, most, dearestFirst)
  const unit = ({ key }: Sum) => counted.unitOf[key]!
  const names = await agencyNames(db, top.map(unit))
  return {
    total: all.length,
    results: top.map((sum) => ({
      name: names.get(unit(sum)) ?? '',
      ...slice(sum),
      months: [...counted.agencyMonths.subarray(sum.key * 12, sum.key * 12 + 12)],
    })),
  }
}

async function presentMethods(db: Db, counted: CountedAwards): Promise<WhoWins['methods']> {
  const texts = await methodTexts(db)
  const methods = counted.methods.all().sort(mostFirst)
  return methods.map((sum) => ({ method: texts.get(sum.key) ?? '', ...slice(sum) }))
}

/** Names of natural persons are masked, as on company pages. */
export function presentWonProject(row: StoredWonProject): WonProject {
  const { base, value } = row
  const companies = row.companies ?? []
  const announced = row.is_decided && row.winner_name !== null && companies.length === 0 ? [row.winner_name] : []
  const isHeld = base !== null && value !== null && row.is_against_budget === false
  return {
    project_id: row.project_id,
    name: row.name,
    dept_name: row.dept_name,
    project_province: row.province === null ? null : (provinceCoded(row.province)?.th ?? null),
    method: row.method,
    estimate_budget: baht(row.estimate),
    value: row.is_decided ? baht(row.spent) : null,
    discount: isHeld ? roundedShare((base - value) / base) : null,
    decided_date: row.is_decided ? row.decided_on : null,
    winners: [
      ...companies,
      ...announced.map((name) => (isNaturalPerson({ taxId: row.winner_tin, name }) ? PERSON : name)),
    ],
    in_report: row.in_report,
  }
}
