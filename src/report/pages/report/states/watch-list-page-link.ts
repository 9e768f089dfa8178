export function buildWatchListPageLink(search: Readonly<Record<string, string>> = {}) {
  return { to: '/watch' as '/report', search }
}
