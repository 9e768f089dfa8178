/** The longest of 81,052 real company names has 192 characters; a damaged row may have thousands. */
const MAX_NAME_LENGTH = 200

export function truncateName(name: string): string {
  if (name.length <= MAX_NAME_LENGTH) return name
  return `${name
    .slice(0, MAX_NAME_LENGTH)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`
}
