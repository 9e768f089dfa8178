import { screenAt } from '#contract/screen.ts'

/**
 * How the worker answers a request. `page`: network, else the cached page. `file`: cache, else network; its name
 * contains a content hash. `loose`: network, else this build's cache. `network`: not intercepted.
 */
export type Serving = 'page' | 'file' | 'loose' | 'network'

/**
 * Contents of a build. scripts/build-worker.ts writes them into the worker, so that each build is a different worker.
 */
export type BuildFacts = {
  /** Changes with any of the files. */
  readonly id: string
  /** Entry script of this build's pages, by which a page is matched to a build. */
  readonly entry: string
  readonly files: readonly string[]
  /** Files without a hash in their name. */
  readonly loose: readonly string[]
}

/**
 * Cached pages. They differ in the placeholder shown before the code has loaded: that of the report, or of all other
 * screens.
 */
export const PAGES = ['/report', '/board'] as const

export const pageFor = (pathname: string): (typeof PAGES)[number] =>
  /^\/(report\/?)?$/.test(pathname) ? PAGES[0] : PAGES[1]

const PREFIX = 'tamngan-build-'
/** Earlier builds that stay cached, so that a page opened two deployments ago still finds its code. */
const EARLIER_BUILDS = 2

export const cacheName = (id: string): string => PREFIX + id

type Asked = Pick<Request, 'method' | 'mode' | 'url'>

/** Caches only public data: pages contain no user data, and the API is never intercepted. */
export function servingOf({ method, mode, url }: Asked, origin: string, loose: readonly string[]): Serving {
  const { origin: host, pathname } = new URL(url)
  if (method !== 'GET' || host !== origin) return 'network'
  if (mode === 'navigate') return screenAt(pathname) ? 'page' : 'network'
  if (pathname.startsWith('/assets/')) return 'file'
  return loose.includes(pathname) ? 'loose' : 'network'
}

/** Returns our caches that no page needs any more; `names` must be in the browser's order, oldest first. */
export function outdatedCaches(names: readonly string[], id: string): readonly string[] {
  const earlier = names.filter((name) => name.startsWith(PREFIX) && name !== cacheName(id))
  return earlier.slice(0, Math.max(0, earlier.length - EARLIER_BUILDS))
}

/** True for responses of a proxy or a server being replaced, where the cached page is preferred. */
export const isAway = (status: number): boolean => status >= 502 && status <= 504

/** Marks the cached page as loaded offline (read by `src/lib/session-store.ts`). */
export const markOffline = (html: string): string => html.replace('<html ', '<html data-offline ')

/** True if the page belongs to this build; others reference files that this worker lacks. */
export const isPageOf = (html: string, { entry }: Pick<BuildFacts, 'entry'>): boolean => html.includes(entry)
