/** Adds values to a list that lacks them, or removes them; undefined when none remain. */
export function setListValues(
  values: readonly string[] | undefined,
  changed: readonly string[],
  on: boolean,
): readonly string[] | undefined {
  const next = new Set(values)
  for (const value of changed) {
    if (on) next.add(value)
    else next.delete(value)
  }
  return next.size === 0 ? undefined : [...next]
}
