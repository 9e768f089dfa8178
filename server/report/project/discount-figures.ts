import { isInPriceBand, REFERENCE_PRICE_BANDS } from '#contract/catalogue/discount.ts'
import { MIN_COMPARED_PRICES, type SimilarProjectPrices } from '#contract/catalogue/similar-prices.ts'
import { computeQuantile } from '#contract/quantile.ts'

/** A decided project with a reference price; money in satang. */
export type PricedProject = {
  readonly estimate: number
  readonly won: number
  /** Winning company by identity; undefined if unnamed or a natural person. */
  readonly winner: { readonly key: string; readonly name: string } | undefined
}

type DiscountFigures = Pick<
  SimilarProjectPrices,
  'n' | 'above_reference' | 'median' | 'p25' | 'p75' | 'weighted' | 'bins' | 'winners'
>

/** Histogram in bins of 2.5 points from −10 % to 50 %: 1 % of real e-biddings are below 0, 0.5 % above 50 %. */
const BIN_WIDTH = 0.025
const FIRST_BIN = -0.1
const LAST_BIN = 0.5
const BIN_COUNT = Math.round((LAST_BIN - FIRST_BIN) / BIN_WIDTH) + 1
const MAX_WINNERS = 5
const MAX_AGENCIES = 6

/** Returns the discount as a share of the reference price (D20); negative if the winning price is above it. */
export const computeDiscount = ({ estimate, won }: Pick<PricedProject, 'estimate' | 'won'>) =>
  (estimate - won) / estimate
/** Rounds to 0.01 points, the precision that prices in whole baht support. */
export const roundShare = (share: number) => Math.round(share * 10_000) / 10_000
export const getRoundedDiscount = (project: Pick<PricedProject, 'estimate' | 'won'>) =>
  roundShare(computeDiscount(project))

export function computeDiscountFigures(projects: readonly PricedProject[]): DiscountFigures {
  const estimates = projects.reduce((sum, { estimate }) => sum + estimate, 0)
  const won = projects.reduce((sum, project) => sum + project.won, 0)
  return {
    ...quartilesOf(projects),
    above_reference: projects.filter(({ estimate, won: price }) => price > estimate).length,
    weighted: estimates > 0 ? roundShare((estimates - won) / estimates) : null,
    bins: binsOf(projects.map(computeDiscount)),
    winners: projects.length < MIN_COMPARED_PRICES ? [] : winnersOf(projects),
  }
}

function quartilesOf(projects: readonly Pick<PricedProject, 'estimate' | 'won'>[]) {
  const discounts = projects.map(computeDiscount).sort((a, b) => a - b)
  const quantile = (share: number) =>
    discounts.length < MIN_COMPARED_PRICES ? null : roundShare(computeQuantile(discounts, share)!)
  return { n: discounts.length, p25: quantile(0.25), median: quantile(0.5), p75: quantile(0.75) }
}

function binsOf(discounts: readonly number[]): SimilarProjectPrices['bins'] {
  if (discounts.length === 0) return []
  const counts = Array.from({ length: BIN_COUNT }, () => 0)
  // 0.1 may compute as 0.0999…, so add 1e-9 to put it into the bin that starts at 0.1.
  for (const discount of discounts)
    counts[Math.max(0, Math.min(BIN_COUNT - 1, Math.floor((discount - FIRST_BIN) / BIN_WIDTH + 1e-9)))]! += 1
  const bins = counts.map((count, i) => ({ from: roundShare(FIRST_BIN + i * BIN_WIDTH), count }))
  const first = bins.findIndex(({ count }) => count > 0)
  const last = bins.findLastIndex(({ count }) => count > 0)
  return bins.slice(first, last + 1)
}

function winnersOf(projects: readonly PricedProject[]): SimilarProjectPrices['winners'] {
  const won = Map.groupBy(
    projects.filter(({ winner }) => winner !== undefined),
    ({ winner }) => winner!.key,
  )
  return [...won.values()]
    .map((wonProjects) => ({
      name: wonProjects[0]!.winner!.name,
      wins: wonProjects.length,
      median: quartilesOf(wonProjects).median,
    }))
    .sort((a, b) => b.wins - a.wins || (a.name < b.name ? -1 : 1))
    .slice(0, MAX_WINNERS)
}

/** A project to group in a breakdown. `year` is the fiscal year of the decision; 0 means unknown. */
export type BreakdownProject = Pick<PricedProject, 'estimate' | 'won'> & {
  readonly agency: string
  readonly agencyName: string
  readonly year: number
}

export function computeDiscountBreakdown(
  projects: readonly BreakdownProject[],
  ownAgency: string,
): SimilarProjectPrices['breakdown'] {
  const agencies = [...Map.groupBy(projects, ({ agency }) => agency)].map(([agency, ofAgency]) => ({
    name: ofAgency[0]!.agencyName,
    is_own: agency === ownAgency,
    ...quartilesOf(ofAgency),
  }))
  const years = [...Map.groupBy(projects, ({ year }) => year)].map(([year, ofYear]) => ({
    year,
    ...quartilesOf(ofYear),
  }))
  const bands = REFERENCE_PRICE_BANDS.map((band) => ({
    ...band,
    ...quartilesOf(projects.filter(({ estimate }) => isInPriceBand(estimate, band))),
  }))
  return {
    n: projects.length,
    bands: bands.filter(({ n }) => n > 0),
    agencies: agencies
      .sort((a, b) => Number(b.is_own) - Number(a.is_own) || b.n - a.n || (a.name < b.name ? -1 : 1))
      .slice(0, MAX_AGENCIES),
    years: years.sort((a, b) => b.year - a.year),
  }
}
