/** Link to the watch lists; `tab` and the others are theirs to read. The report's own link type stands in, as in the menu. */
export function watchAddress(search: Readonly<Record<string, string>> = {}) {
  return { to: '/watch' as '/report', search }
}
