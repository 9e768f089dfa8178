/**
 * The query of a URL as flat name → text pairs, decoded and encoded exactly once (`##` becomes `%23%23`). No JSON, so
 * that an 11-digit project id stays text. Screens interpret the texts.
 */
export type FlatSearchParams = Readonly<Record<string, string>>

/** Parses a query string; the last value of a repeated name wins. */
export function parseQueryString(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** Returns the text entries of a search. Numbers and booleans are converted; other values are dropped. */
export function toFlatSearchParams(search: Readonly<Record<string, unknown>>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string') flat[name] = value
    else if (typeof value === 'number' || typeof value === 'boolean') flat[name] = String(value)
  }
  return flat
}

export function formatQueryString(search: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams(toFlatSearchParams(search)).toString()
  return text === '' ? '' : `?${text}`
}

/** True for the fragment of the skip link, and for the token of an email link, whose URL programs may extend. */
const isFragment = (pathname: string, hash: string) => hash === '#main' || pathname === '/mail-link'

/**
 * Returns the window's URL as `/path?search#hash`. A `#` typed by hand into a filter starts a fragment and would
 * truncate the search, so it is moved back into the search, encoded.
 */
export function getRelativeUrl({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  const isCutOff = search !== '' && !isFragment(pathname, hash)
  return pathname + search + (isCutOff ? hash.replaceAll('#', '%23') : hash)
}
