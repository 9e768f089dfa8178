/** The longest of 81,052 real company names has 192 characters; a damaged row may have thousands. */
const MAX_SHOWN = 200

export function shownName(name: string): string {
  if (name.length <= MAX_SHOWN) return name
  return `${name
    .slice(0, MAX_SHOWN)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}
