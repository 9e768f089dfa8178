/**
 * The search part of an address as flat name → text pairs, decoded and encoded exactly once (`##` becomes `%23%23`).
 * No JSON: an 11-digit project id stays text. What the texts mean is the business of the screen that reads them.
 */
export type FlatSearch = Readonly<Record<string, string>>

/** Query string → pairs. A name that stands twice keeps its last value. */
export function parseSearchText(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text))
}

/** The pairs among a search's entries; numbers and true/false are written out, anything else is left out. */
export function flatSearch(search: Readonly<Record<string, unknown>>): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(search)) {
    if (typeof value === 'string') flat[name] = value
    else if (typeof value === 'number' || typeof value === 'boolean') flat[name] = String(value)
  }
  return flat
}

/** Search → query string with its `?`; empty for an empty search. */
export function printSearchText(search: Readonly<Record<string, unknown>>): string {
  const text = new URLSearchParams(flatSearch(search)).toString()
  return text === '' ? '' : `?${text}`
}

/**
 * A reader of searches that reads one search once. The loader of a screen and its page read the same address one after the other, from two objects.
 * What it returns is shared and must not be changed.
 */
export function readOnce<T>(read: (flat: FlatSearch) => T): (flat: FlatSearch) => T {
  let last: { readonly text: string; readonly value: T } | undefined
  return (flat) => {
    const text = JSON.stringify(flat)
    if (last?.text !== text) last = { text, value: read(flat) }
    return last.value
  }
}

/** Where a loader of the router stands: the search as the address says it. */
export type SearchPlace = { readonly location: { readonly search: object } }

/** The flat search of that place, as the route's own `validateSearch` gives it to the page. */
export function searchAt({ location }: SearchPlace): FlatSearch {
  return flatSearch({ ...location.search })
}

/** The fragments that stand behind a search: the skip link's, and the token of a mail's link, whose address a mail program may have added to. */
const isFragment = (pathname: string, hash: string) => hash === '#main' || pathname === '/mail-link'

/**
 * The address of the window as `/path?search#hash`. A `#` that was typed by hand into a filter begins a fragment for the browser, which would
 * silently cut the search short there; it is put back into the search, encoded.
 */
export function windowAddress({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  const isCutOff = search !== '' && !isFragment(pathname, hash)
  return pathname + search + (isCutOff ? hash.replaceAll('#', '%23') : hash)
}
