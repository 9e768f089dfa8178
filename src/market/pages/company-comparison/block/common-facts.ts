import type { CommonProject } from '#contract/market/company-comparison.ts'
import type { Compared } from '#src/market/pages/company-comparison/scope/compared.ts'

type Part = CommonProject['parts'][number]

/** Price as a share of the reference price; undefined when either is unknown. */
export function shareOf(project: Pick<CommonProject, 'estimate_budget'>, price: number | null): number | undefined {
  const reference = project.estimate_budget
  return price === null || reference === null || reference <= 0 ? undefined : price / reference
}

/** Spread between the lowest and highest known price, as a share of the reference price; undefined below two prices. */
export function spreadOf(project: CommonProject): number | undefined {
  const shares = project.parts.flatMap(({ price }) => shareOf(project, price) ?? [])
  return shares.length < 2 ? undefined : Math.max(...shares) - Math.min(...shares)
}

/**
 * An SME that lost with a price inside the band above the lowest bid, where the law prefers it (N5). `band` in percent.
 */
export function lostInBand(
  project: Pick<CommonProject, 'lowest_price' | 'winner_name'>,
  part: Pick<Part, 'price' | 'is_winner'>,
  isSme: Compared['is_sme'],
  band: number,
): boolean {
  const { lowest_price: lowest, winner_name: winner } = project
  if (isSme !== true || part.is_winner || winner === null || part.price === null || lowest === null) return false
  // Compared in satang, because 110 % of a price is not exact in floating point.
  return Math.round(part.price * 100) <= Math.round(lowest * (100 + band))
}

export type CommonOrder = '-date' | 'date' | 'gap' | '-gap'

/** Projects without a date or gap come last. */
export function inOrder(projects: readonly CommonProject[], order: CommonOrder): CommonProject[] {
  const sign = order.startsWith('-') ? -1 : 1
  const sortedBy = (project: CommonProject) => (order.endsWith('date') ? project.decided_date : spreadOf(project))
  return projects.toSorted((one, other) => {
    const [first, second] = [sortedBy(one), sortedBy(other)]
    if (first === second) return one.project_id < other.project_id ? 1 : -1
    if (first === undefined || first === null) return 1
    if (second === undefined || second === null) return -1
    return (first < second ? -1 : 1) * sign
  })
}
