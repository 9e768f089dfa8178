import { screenAt } from '#contract/screen.ts'

/**
 * How the worker answers a request. `page`: the network, else the page that was kept. `file`: what was kept, else the network; its name holds a hash of its content.
 * `loose`: the network, else what was kept of this build. `network`: the worker keeps out of it.
 */
export type Serving = 'page' | 'file' | 'loose' | 'network'

/** What a build is made of; scripts/build-worker.ts writes it into the worker, so that another build is another worker. */
export type BuildFacts = {
  /** Changes with any file below. */
  readonly id: string
  /** The script that the page of this build names: by it a page knows whether it is of this build. */
  readonly entry: string
  /** Files of `/assets/` that are kept ahead. */
  readonly files: readonly string[]
  /** Files of the page that have no hash in their name. */
  readonly loose: readonly string[]
}

/** Kept pages. They differ in the shape that is drawn before the code is there: that of the report, and that of every other screen. */
export const PAGES = ['/report', '/board'] as const

/** The kept page that stands in for an address. */
export const pageFor = (pathname: string): (typeof PAGES)[number] =>
  /^\/(report\/?)?$/.test(pathname) ? PAGES[0] : PAGES[1]

const PREFIX = 'tamngan-build-'
/** Builds kept beside the present one: a page that was opened before two deployments still finds its code. */
const EARLIER_BUILDS = 2

export const cacheName = (id: string): string => PREFIX + id

type Asked = Pick<Request, 'method' | 'mode' | 'url'>

/** Only what is the same for everybody is ever kept: pages hold no data, and the API is left alone, whatever it answers. */
export function servingOf({ method, mode, url }: Asked, origin: string, loose: readonly string[]): Serving {
  const { origin: host, pathname } = new URL(url)
  if (method !== 'GET' || host !== origin) return 'network'
  if (mode === 'navigate') return screenAt(pathname) ? 'page' : 'network'
  if (pathname.startsWith('/assets/')) return 'file'
  return loose.includes(pathname) ? 'loose' : 'network'
}

/** Caches that no page can need any more; `names` as the browser lists them, the oldest first. Those of others are left alone. */
export function outdatedCaches(names: readonly string[], id: string): readonly string[] {
  const earlier = names.filter((name) => name.startsWith(PREFIX) && name !== cacheName(id))
  return earlier.slice(0, Math.max(0, earlier.length - EARLIER_BUILDS))
}

/** Answers of a proxy or a server that is being replaced: what was kept is better. */
export const isAway = (status: number): boolean => status >= 502 && status <= 504

/** The kept page says that no network brought it (`src/lib/session-store.ts` reads it). */
export const markOffline = (html: string): string => html.replace('<html ', '<html data-offline ')

/** A page of another build names files that this worker does not have. */
export const isPageOf = (html: string, { entry }: Pick<BuildFacts, 'entry'>): boolean => html.includes(entry)
