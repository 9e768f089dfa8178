/** Link to the watch lists. Typed as a report link, as in the menu, because `search` has no type here. */
export function watchAddress(search: Readonly<Record<string, string>> = {}) {
  return { to: '/watch' as '/report', search }
}
