import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'

/** Provinces and price band of a first list; undefined provinces and infinite prices limit nothing. */
export type FirstListGate = {
  readonly provinces: ReadonlySet<number> | undefined
  readonly minSatang: number
  readonly maxSatang: number
  /** For each win, the probability that a future win like it lies inside. */
  readonly chances: readonly number[]
  accepts(project: Pick<ProjectToMatch, 'project_province' | 'dept_province' | 'budget_satang'>): boolean
}

const provinceOf = (project: Pick<ProjectToMatch, 'project_province' | 'dept_province'>) =>
  project.project_province ?? project.dept_province

const PROVINCE_COUNTS = [1, 2, 3, 5, 8, 13, 77]

/**
 * Lists the gates to try: the provinces with most wins or the whole country, each with price bands from wide to narrow.
 */
export function listFirstListGates(wins: readonly ProjectToMatch[]): FirstListGate[] {
  const counts = new Map<number, number>()
  for (const win of wins) {
    const province = provinceOf(win)
    if (province !== null) counts.set(province, (counts.get(province) ?? 0) + 1)
  }
  const provinces = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([code]) => code)
  const sizes = [...new Set(PROVINCE_COUNTS.map((count) => Math.min(count, provinces.length)))]
  const scopes = [undefined, ...sizes.map((size) => new Set(provinces.slice(0, size)))]
  const bands = listPriceBands(wins)
  return scopes.flatMap((scope) => bands.map((band) => toGate(wins, counts, scope, band)))
}

/** Bands have no upper bound: few projects are expensive, so excluding them would save little. */
type PriceBand = { readonly min: number; readonly chances: readonly number[] }

function toGate(
  wins: readonly ProjectToMatch[],
  counts: ReadonlyMap<number, number>,
  provinces: ReadonlySet<number> | undefined,
  { min, chances }: PriceBand,
): FirstListGate {
  const chanceOf = (win: ProjectToMatch) => {
    const province = provinceOf(win)
    if (provinces === undefined) return 1
    if (province === null || !provinces.has(province)) return 0
    const count = counts.get(province)!
    return count === 1 ? 0.3 : 1 - 0.4 / count
  }
  return {
    provinces,
    minSatang: min,
    maxSatang: Number.POSITIVE_INFINITY,
    chances: wins.map((win, index) => chanceOf(win) * chances[index]!),
    accepts: (project) => {
      const budget = project.budget_satang
      if (budget !== null && budget < min) return false
      const province = provinceOf(project)
      return provinces === undefined || (province !== null && provinces.has(province))
    },
  }
}

/**
 * Factor by which a band may start below the cheapest win. It shrinks with the number of wins, because a few prices are
 * a weak sample.
 */
const WIDENINGS = [
  { factor: 4, minWins: 3 },
  { factor: 2, minWins: 8 },
  { factor: 1.25, minWins: 20 },
] as const
const MIN_WINS_FOR_QUANTILE = 10

function listPriceBands(wins: readonly ProjectToMatch[]): PriceBand[] {
  const everything: PriceBand = { min: 0, chances: wins.map(() => 1) }
  const budgets = wins.flatMap(({ budget_satang }) => budget_satang ?? []).sort((a, b) => a - b)
  if (budgets.length < 3) return [everything]
  const bands = [everything]
  const low = budgets[0]!
  for (const { factor, minWins } of WIDENINGS)
    if (budgets.length >= minWins) bands.push(bandFrom(wins, budgets, roundDown(low / factor)))
  if (budgets.length >= MIN_WINS_FOR_QUANTILE) {
    bands.push(bandFrom(wins, budgets, roundDown(budgets[Math.floor(budgets.length * 0.1)]! / 1.5)))
    bands.push(bandFrom(wins, budgets, roundDown(budgets[Math.floor(budgets.length * 0.25)]! / 1.5)))
  }
  return bands
}

function bandFrom(wins: readonly ProjectToMatch[], budgets: readonly number[], min: number): PriceBand {
  const inside = budgets.filter((budget) => budget >= min)
  // Without the cheapest win, the band would begin higher: count how many wins such a band misses.
  const next = inside[1] ?? inside[0]!
  const width = inside[0]! / Math.max(1, min)
  return {
    min,
    chances: wins.map(({ budget_satang }) => {
      if (budget_satang === null) return 1
      if (budget_satang < min) return 0
      return budget_satang * width < next ? 0.3 : 1
    }),
  }
}

function scaleOf(satang: number): number {
  return 10 ** Math.max(2, Math.floor(Math.log10(Math.max(1, satang))) - 1)
}
const roundDown = (satang: number) => Math.floor(satang / scaleOf(satang)) * scaleOf(satang)
