import type { FacetOption } from '#contract/report/report.ts'

const compareByCount = (a: FacetOption, b: FacetOption) => b.count - a.count || (a.value < b.value ? -1 : 1)

/**
 * Returns the options of a facet, most projects first. Adds up equal values; omits unknown values and those without
 * projects.
 */
export function toFacetOptions(
  countedValues: Iterable<readonly [value: string | undefined, count: number]>,
): FacetOption[] {
  const sums = new Map<string, number>()
  for (const [value, count] of countedValues)
    if (value !== undefined && count > 0) sums.set(value, (sums.get(value) ?? 0) + count)
  return [...sums].map(([value, count]) => ({ value, count })).sort(compareByCount)
}
