import { findScreenByPath } from '#contract/screen.ts'

/**
 * The way in which the worker answers a request. `page`: network, else the cached page. `file` (its name contains a
 * content hash): cache, else network. `loose`: network, else this build's cache. `network`: not intercepted.
 */
export type ServingStrategy = 'page' | 'file' | 'loose' | 'network'

/** scripts/build-worker.ts writes it into the worker, so that the worker differs between builds. */
export type WorkerBuildManifest = {
  readonly id: string
  /** Entry script of this build's pages; shows which build a page belongs to. */
  readonly entry: string
  readonly files: readonly string[]
  readonly loose: readonly string[]
}

/** Path under which the page is stored for offline use. All screens have the same page. */
export const OFFLINE_CACHED_PAGE_PATH = '/report'

const CACHE_PREFIX = 'tamngan-build-'
/** Earlier builds that stay cached, so that a page opened two deployments ago still finds its code. */
const MAX_EARLIER_BUILDS = 2

export const buildCacheName = (id: string): string => CACHE_PREFIX + id

type RequestFacts = Pick<Request, 'method' | 'mode' | 'url'>

/** Caches only public data: pages contain no user data, and the API is never intercepted. */
export function getServingStrategy(
  { method, mode, url }: RequestFacts,
  origin: string,
  loose: readonly string[],
): ServingStrategy {
  const { origin: host, pathname } = new URL(url)
  if (method !== 'GET' || host !== origin) return 'network'
  if (mode === 'navigate') return findScreenByPath(pathname) ? 'page' : 'network'
  if (pathname.startsWith('/assets/')) return 'file'
  return loose.includes(pathname) ? 'loose' : 'network'
}

/** Returns those of our caches that no page needs any more. `names` must be in the browser's order, oldest first. */
export function findOutdatedCaches(names: readonly string[], id: string): readonly string[] {
  const earlier = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== buildCacheName(id))
  return earlier.slice(0, Math.max(0, earlier.length - MAX_EARLIER_BUILDS))
}

/** True for statuses sent by a proxy or by a server that is being replaced; the cached page is then preferred. */
export const isServerUnavailableStatus = (status: number): boolean => status >= 502 && status <= 504

/** Marks the cached page as loaded offline; `src/lib/session-store.ts` reads the mark. */
export const markPageOffline = (html: string): string => html.replace('<html ', '<html data-offline ')

/** True if the page belongs to this build. Other pages reference files that this worker lacks. */
export const pageBelongsToBuild = (html: string, { entry }: Pick<WorkerBuildManifest, 'entry'>): boolean =>
  html.includes(entry)
