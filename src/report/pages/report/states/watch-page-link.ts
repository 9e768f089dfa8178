export function buildWatchPageLink(search: Readonly<Record<string, string>> = {}) {
  return { to: '/watch' as '/report', search }
}
