import type { CommonProject } from '#contract/market/company-comparison.ts'
import type { ComparisonCompany } from '../scope/comparison-company.ts'

type Part = CommonProject['parts'][number]

export function computePriceRatio(
  project: Pick<CommonProject, 'estimate_budget'>,
  price: number | null,
): number | undefined {
  const reference = project.estimate_budget
  return price === null || reference === null || reference <= 0 ? undefined : price / reference
}

/** Returns the spread of the known prices as a share of the reference price; undefined for fewer than two prices. */
export function computePriceSpread(project: CommonProject): number | undefined {
  const shares = project.parts.flatMap(({ price }) => computePriceRatio(project, price) ?? [])
  return shares.length < 2 ? undefined : Math.max(...shares) - Math.min(...shares)
}

/**
 * True for an SME that lost although its price was within the band above the lowest bid, where the law prefers SMEs
 * (N5). `band` in percent.
 */
export function hasLostWithinSmePreferenceBand(
  project: Pick<CommonProject, 'lowest_price' | 'winner_name'>,
  part: Pick<Part, 'price' | 'is_winner'>,
  isSme: ComparisonCompany['is_sme'],
  band: number,
): boolean {
  const { lowest_price: lowest, winner_name: winner } = project
  if (isSme !== true || part.is_winner || winner === null || part.price === null || lowest === null) return false
  // Compare in satang, because 110 % of a price is not exact in floating point.
  return Math.round(part.price * 100) <= Math.round(lowest * (100 + band))
}

export type CommonProjectOrder = '-date' | 'date' | 'gap' | '-gap'

/** Sorts the projects; those without a date or gap come last. */
export function sortCommonProjects(projects: readonly CommonProject[], order: CommonProjectOrder): CommonProject[] {
  const sign = order.startsWith('-') ? -1 : 1
  const sortedBy = (project: CommonProject) =>
    order.endsWith('date') ? project.decided_date : computePriceSpread(project)
  return projects.toSorted((a, b) => {
    const [firstValue, second] = [sortedBy(a), sortedBy(b)]
    if (firstValue === second) return a.project_id < b.project_id ? 1 : -1
    if (firstValue === undefined || firstValue === null) return 1
    if (second === undefined || second === null) return -1
    return (firstValue < second ? -1 : 1) * sign
  })
}
