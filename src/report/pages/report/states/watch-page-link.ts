export function watchPageLink(search: Readonly<Record<string, string>> = {}) {
  return { to: '/watch' as '/report', search }
}
