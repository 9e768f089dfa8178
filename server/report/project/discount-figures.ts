import { isInSizeBand, SIZE_BANDS } from '#contract/catalogue/discount.ts'
import { FEWEST_PRICES, type SimilarPrices } from '#contract/catalogue/similar-prices.ts'
import { quantileOf } from '#contract/quantile.ts'

/** A decided project with a reference price; money in satang. */
export type Priced = {
  readonly estimate: number
  readonly won: number
  /** Winning company by identity; undefined if unnamed or a natural person. */
  readonly winner: { readonly key: string; readonly name: string } | undefined
}

type DiscountFigures = Pick<
  SimilarPrices,
  'n' | 'above_reference' | 'median' | 'p25' | 'p75' | 'weighted' | 'bins' | 'winners'
>

/** Histogram in steps of 2.5 points from −10 % to 50 %: 1 % of real e-biddings are below 0, 0.5 % above 50 %. */
const STEP = 0.025
const FIRST = -0.1
const LAST = 0.5
const BINS = Math.round((LAST - FIRST) / STEP) + 1
const MOST_WINNERS = 5
const MOST_AGENCIES = 6

/** D20: share below the reference price; negative if above it. */
const discountOf = ({ estimate, won }: Pick<Priced, 'estimate' | 'won'>) => (estimate - won) / estimate
/** Rounds to 0.01 points, the precision that prices in whole baht support. */
export const rounded = (share: number) => Math.round(share * 10_000) / 10_000
export const roundedDiscount = (project: Pick<Priced, 'estimate' | 'won'>) => rounded(discountOf(project))

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

/** Quartiles of the discounts; null below `FEWEST_PRICES`. */
function quartilesOf(projects: readonly Pick<Priced, 'estimate' | 'won'>[]) {
  const discounts = projects.map(discountOf).sort((a, b) => a - b)
  const of = (share: number) => (discounts.length < FEWEST_PRICES ? null : rounded(quantileOf(discounts, share)!))
  return { n: discounts.length, p25: of(0.25), median: of(0.5), p75: of(0.75) }
}

function binsOf(discounts: readonly number[]): SimilarPrices['bins'] {
  if (discounts.length === 0) return []
  const counts = Array.from({ length: BINS }, () => 0)
  // 0.1 may compute as 0.0999…; adding 1e-9 puts it into the bin that starts at 0.1.
  for (const discount of discounts)
    counts[Math.max(0, Math.min(BINS - 1, Math.floor((discount - FIRST) / STEP + 1e-9)))]! += 1
  const bins = counts.map((count, i) => ({ from: rounded(FIRST + i * STEP), count }))
  const first = bins.findIndex(({ count }) => count > 0)
  const last = bins.findLastIndex(({ count }) => count > 0)
  return bins.slice(first, last + 1)
}

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

/** Input of a breakdown. `year`: fiscal year of the decision; 0 means unknown. */
export type Grouped = Pick<Priced, 'estimate' | 'won'> & {
  readonly agency: string
  readonly agencyName: string
  readonly year: number
}

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
