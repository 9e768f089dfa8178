import { isInSizeBand, SIZE_BANDS } from '#contract/catalogue/discount.ts'
import { FEWEST_PRICES, type SimilarPrices } from '#contract/catalogue/similar-prices.ts'
import { quantileOf } from '#contract/quantile.ts'

/** One decided project with a reference price; money in satang. */
export type Priced = {
  readonly estimate: number
  readonly won: number
  /** Which company won, by its identity; undefined: nobody was named, or a natural person. */
  readonly winner: { readonly key: string; readonly name: string } | undefined
}

type DiscountFigures = Pick<
  SimilarPrices,
  'n' | 'above_reference' | 'median' | 'p25' | 'p75' | 'weighted' | 'bins' | 'winners'
>

/** Histogram in steps of 2.5 points from −10 % to 50 %: 1 % of real e-biddings lie below 0, 0.5 % above half. */
const STEP = 0.025
const FIRST = -0.1
const LAST = 0.5
const BINS = Math.round((LAST - FIRST) / STEP) + 1
const MOST_WINNERS = 5
const MOST_AGENCIES = 6

/** D20: the share below the reference price; negative is above it. */
const discountOf = ({ estimate, won }: Pick<Priced, 'estimate' | 'won'>) => (estimate - won) / estimate
/** Shares are told to a hundredth of a point: what a price of whole baht can mean. */
export const rounded = (share: number) => Math.round(share * 10_000) / 10_000
export const roundedDiscount = (project: Pick<Priced, 'estimate' | 'won'>) => rounded(discountOf(project))

/** Median, quartiles, weighted discount, histogram and winners of projects with a reference price. */
export function discountFigures(projects: readonly Priced[]): DiscountFigures {
  const estimates = projects.reduce((sum, { estimate }) => sum + estimate, 0)
  const won = projects.reduce((sum, project) => sum + project.won, 0)
  return {
    ...quartilesOf(projects),
    above_reference: projects.filter(({ estimate, won: price }) => price > estimate).length,
    weighted: estimates > 0 ? rounded((estimates - won) / estimates) : null,
    bins: binsOf(projects.map(discountOf)),
    winners: projects.length < FEWEST_PRICES ? [] : winnersOf(projects),
  }
}

/** Quartiles of the discounts; null of fewer than `FEWEST_PRICES`. */
function quartilesOf(projects: readonly Pick<Priced, 'estimate' | 'won'>[]) {
  const discounts = projects.map(discountOf).sort((a, b) => a - b)
  const of = (share: number) => (discounts.length < FEWEST_PRICES ? null : rounded(quantileOf(discounts, share)!))
  return { n: discounts.length, p25: of(0.25), median: of(0.5), p75: of(0.75) }
}

/** Without the empty ones at both ends. */
function binsOf(discounts: readonly number[]): SimilarPrices['bins'] {
  if (discounts.length === 0) return []
  const counts = Array.from({ length: BINS }, () => 0)
  // Floating point computes 0.1 as 0.0999…; 1e-9 more puts it into the bin that begins at 0.1.
  for (const discount of discounts)
    counts[Math.max(0, Math.min(BINS - 1, Math.floor((discount - FIRST) / STEP + 1e-9)))]! += 1
  const bins = counts.map((count, i) => ({ from: rounded(FIRST + i * STEP), count }))
  const first = bins.findIndex(({ count }) => count > 0)
  const last = bins.findLastIndex(({ count }) => count > 0)
  return bins.slice(first, last + 1)
}

/** Which companies won most of them; of as many wins, by name. */
function winnersOf(projects: readonly Priced[]): SimilarPrices['winners'] {
  const won = Map.groupBy(
    projects.filter(({ winner }) => winner !== undefined),
    ({ winner }) => winner!.key,
  )
  return [...won.values()]
    .map((theirs) => ({ name: theirs[0]!.winner!.name, wins: theirs.length, median: quartilesOf(theirs).median }))
    .sort((a, b) => b.wins - a.wins || (a.name < b.name ? -1 : 1))
    .slice(0, MOST_WINNERS)
}

/** What a breakdown asks of a project. `year`: fiscal, of its decision; 0: unknown. */
export type Grouped = Pick<Priced, 'estimate' | 'won'> & {
  readonly agency: string
  readonly agencyName: string
  readonly year: number
}

/** Quartiles by size, agency and year. */
export function breakdownOf(projects: readonly Grouped[], ownAgency: string): SimilarPrices['breakdown'] {
  const agencies = [...Map.groupBy(projects, ({ agency }) => agency)].map(([agency, theirs]) => ({
    name: theirs[0]!.agencyName,
    is_own: agency === ownAgency,
    ...quartilesOf(theirs),
  }))
  const years = [...Map.groupBy(projects, ({ year }) => year)].map(([year, theirs]) => ({
    year,
    ...quartilesOf(theirs),
  }))
  const bands = SIZE_BANDS.map((band) => ({
    ...band,
    ...quartilesOf(projects.filter(({ estimate }) => isInSizeBand(estimate, band))),
  }))
  return {
    n: projects.length,
    bands: bands.filter(({ n }) => n > 0),
    agencies: agencies
      .sort((a, b) => Number(b.is_own) - Number(a.is_own) || b.n - a.n || (a.name < b.name ? -1 : 1))
      .slice(0, MOST_AGENCIES),
    years: years.sort((a, b) => b.year - a.year),
  }
}
