/** Returns the order after a click on a heading: figures start descending, names ascending; a second click reverses. */
export function getNextOrdering(now: string, field: string): string {
  const [first, reversed] = field === 'name' ? [field, `-${field}`] : [`-${field}`, field]
  return now === first ? reversed : first
}
