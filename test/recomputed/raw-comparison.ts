import {
  computeMedian,
  countAmountsInDoubt,
  findWinsInDoubt,
  getProvinceName,
  roundShare,
  sumKnownAmounts,
  toBaht,
} from './raw-company.ts'
import type { RawFact } from './raw-facts.ts'

export function computeComparisonBlocks(factsByCompany: readonly (readonly RawFact[])[]) {
  const byProject = Map.groupBy(factsByCompany.flat(), ({ project }) => project)
  const wins = factsByCompany.map((facts) => facts.filter(({ won }) => won))
  const cells = (isIn: (fact: RawFact) => boolean) =>
    wins.map((of) => {
      const matching = of.filter(isIn)
      return { wins: matching.length, value: toBaht(sumKnownAmounts(matching.map(({ value }) => value))) }
    })
  const kinds = (dimension: string, key: (fact: RawFact) => string) =>
    [...new Set(wins.flat().map(key))].map((value) => [`${dimension} ${value}`, cells((fact) => key(fact) === value)])
  const bodies = [...Map.groupBy(wins.flat(), ({ project }) => project.body)].toSorted(
    ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
  )
  const years = [...byProject.keys()].map(({ year }) => year).filter((year) => year > 0)
  const level = (of: number) =>
    [...byProject.values()].filter((facts) => Math.max(...facts.map(({ coverage }) => coverage)) === of).length
  return {
    scope: {
      year_from: years.length === 0 ? null : Math.min(...years),
      year_to: years.length === 0 ? null : Math.max(...years),
      n: byProject.size,
      coverage: { full: level(2), names: level(1), winner: level(0) },
      ...countAmountsInDoubt(findWinsInDoubt(factsByCompany.flat())),
    },
    meetings: factsByCompany.flatMap((a, at) =>
      factsByCompany.slice(at + 1).map((b, after) => meeting(a, b, at, at + 1 + after)),
    ),
    common_total: [...byProject.values()].filter(({ length }) => length > 1).length,
    prices_total: factsByCompany.flat().filter(hasPrice).length,
    departments_total: bodies.length,
    departments: Object.fromEntries(
      bodies.slice(0, 40).map(([body]) => [body, cells(({ project }) => project.body === body)]),
    ),
    mix: Object.fromEntries([
      ...kinds('method', ({ project }) => project.method),
      ...kinds('type', ({ project }) => project.type),
      ...kinds('size', sizeOf),
      ...kinds('province', ({ project }) => getProvinceName(project.province) ?? 'unknown'),
    ]),
  }
}

/** Returns the size band of a win in baht, from satang; the upper bound is inclusive. */
function sizeOf({ value }: RawFact): string {
  if (value === null) return 'unknown'
  if (value <= 50_000_000) return '0-500000'
  if (value <= 500_000_000) return '500000-5000000'
  if (value <= 1_000_000_000) return '5000000-10000000'
  return value <= 5_000_000_000 ? '10000000-50000000' : '50000000-'
}

/**
 * Returns true for an offer on a project with a reference price. If the offer is unknown, returns true for a sole win
 * with a discount.
 */
function hasPrice({ bid, base, onBudget, won, project }: RawFact): boolean {
  if (project.seenOn === null) return false
  if (bid !== null) return project.estimate !== null && project.estimate > 0
  return won && !onBudget && base !== null
}

function meeting(a: readonly RawFact[], b: readonly RawFact[], at: number, of: number) {
  const factsOfB = new Map(b.map((fact) => [fact.project, fact]))
  const pairs = a.flatMap((factOfA) => {
    const two = factsOfB.get(factOfA.project)
    return two && factOfA.coverage > 0 && two.coverage > 0 ? [{ one: factOfA, two, project: factOfA.project }] : []
  })
  const count = (test: (pair: (typeof pairs)[number]) => boolean) => pairs.filter(test).length
  const gaps = pairs.flatMap(({ one: first, two, project }) =>
    first.bid !== null && two.bid !== null && project.estimate !== null && project.estimate > 0
      ? [(two.bid - first.bid) / project.estimate]
      : [],
  )
  return {
    a: at,
    b: of,
    met: pairs.length,
    a_won: count(({ one: first }) => first.won),
    b_won: count(({ two }) => two.won),
    others_won: count(({ one: first, two, project }) => project.decided && !first.won && !two.won),
    undecided: count(({ project }) => !project.decided),
    mean_gap: gaps.length === 0 ? null : roundShare(gaps.reduce((x, y) => x + y, 0) / gaps.length),
    median_gap: roundShare(computeMedian(gaps)),
    n_gap: gaps.length,
    last_met_date:
      pairs
        .flatMap(({ project }) => project.seenOn ?? [])
        .toSorted()
        .at(-1) ?? null,
  }
}
