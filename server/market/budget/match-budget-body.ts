/**
 * A local government. `province` is null if unknown. `isNameShared`: bodies in several provinces have its name, so the
 * name alone does not identify it.
 */
export type LocalBody = { readonly province: number | null; readonly isNameShared: boolean }

/**
 * Returns whether a local government receives a budget. The budget has neither codes nor provinces of its units, so
 * bodies of one name are one unit in it, and only the provinces that its descriptions state tell them apart. `unknown`:
 * another body of that name may receive it.
 */
export function matchBudgetBody(
  { province, isNameShared }: LocalBody,
  statedProvinces: readonly number[],
): 'same' | 'other' | 'unknown' {
  const isStated = province !== null && statedProvinces.includes(province)
  if (province !== null && statedProvinces.length > 0 && !isStated) return 'other'
  if (statedProvinces.length > 1) return 'unknown'
  return isStated || !isNameShared ? 'same' : 'unknown'
}
