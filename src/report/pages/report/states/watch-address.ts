/** Link to the watch lists. Typed as a report link, as in the menu; the watch page parses `search` itself. */
export function watchAddress(search: Readonly<Record<string, string>> = {}) {
  return { to: '/watch' as '/report', search }
}
