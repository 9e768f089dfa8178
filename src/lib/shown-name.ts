/** The longest company name of 81,052 real ones has 192 letters. A damaged row can have thousands, which would fill a screen. */
const MAX_SHOWN = 200

/** A name of others as lists show it: cut behind 200 letters. */
export function shownName(name: string): string {
  if (name.length <= MAX_SHOWN) return name
  return `${name
    .slice(0, MAX_SHOWN)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}
