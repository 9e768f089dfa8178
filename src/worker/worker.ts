import { listenForPush, type PushScope } from './push-events.ts'
import {
  type BuildFacts,
  cacheName,
  isAway,
  isPageOf,
  markOffline,
  outdatedCaches,
  PAGES,
  pageFor,
  servingOf,
} from './serving.ts'

/**
 * Service worker (decision 0131): serves page and code offline, and for pages opened before a deployment. It never sees
 * API responses. Handlers of other events are imported from separate files.
 */
declare const self: ServiceWorkerGlobalScope
declare const __BUILD__: BuildFacts
/** Referenced once, because the build inlines the whole list at each use. */
const build = __BUILD__

/**
 * Maximum wait for the network before serving the cached page, ms: with a poor signal a device reports a network but
 * gets no response.
 */
const NETWORK_WAIT_MS = 4000
/** After such a timeout, further files are served from the cache without waiting, ms. */
const DOUBT_MS = 10_000
/** Parallel fetches during installation, few so that user requests take precedence. */
const AT_ONCE = 4

const own = cacheName(build.id)
let doubtUntil = 0

self.addEventListener('install', (event) => {
  // Where supported, API calls bypass the worker and do not wait for its start.
  const routed = event as ExtendableEvent & { addRoutes?: (rules: object) => Promise<void> }
  const apart = routed.addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' }).catch(() => undefined)
  event.waitUntil(Promise.all([apart, cacheBuild()]))
})

/** All or nothing: if a file is missing the worker is not installed, and the browser retries on the next visit. */
async function cacheBuild(): Promise<void> {
  const cache = await caches.open(own)
  for (const page of PAGES) await cache.put(page, await fetchPage(page))
  const waiting = [...build.files, ...build.loose]
  const next = async (): Promise<void> => {
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) await cacheFile(cache, file)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

async function fetchPage(page: string): Promise<Response> {
  const response = await fetch(page, { headers: { accept: 'text/html' }, cache: 'no-store', credentials: 'omit' })
  if (!response.ok || !isPageOf(await response.clone().text(), build)) throw new Error(`${page} is of another build`)
  return response
}

async function cacheFile(cache: Cache, file: string): Promise<void> {
  const isHashed = file.startsWith('/assets/')
  const known = isHashed ? await caches.match(file) : undefined
  const options = { priority: 'low', ...(isHashed ? {} : { cache: 'no-store' }) } as RequestInit
  const response = known ?? (await fetch(file, options))
  if (!response.ok) throw new Error(`${file}: ${response.status}`)
  await cache.put(file, response)
}

self.addEventListener('activate', (event) => event.waitUntil(takeOver()))

async function takeOver(): Promise<void> {
  // Navigation preload fetches the page while the worker starts.
  await self.registration.navigationPreload?.enable()
  for (const name of outdatedCaches(await caches.keys(), build.id)) await caches.delete(name)
  await self.clients.claim()
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const serving = servingOf(request, self.location.origin, build.loose)
  if (serving === 'page') event.respondWith(servePage(event))
  else if (serving === 'file') event.respondWith(serveFile(request))
  else if (serving === 'loose') {
    const waitMs = Date.now() < doubtUntil ? 0 : NETWORK_WAIT_MS
    event.respondWith(fromNetwork(fetch(request), () => keptFile(request), waitMs))
  }
})

function servePage(event: FetchEvent): Promise<Response> {
  const { request } = event
  const preloaded = event.preloadResponse as Promise<Response | undefined>
  // A worker that dies before the answer may leave it; nobody waits for it twice.
  const asked = preloaded.then((response) => response ?? fetch(request))
  return fromNetwork(asked, () => keptPage(new URL(request.url).pathname), NETWORK_WAIT_MS)
}

async function keptPage(pathname: string): Promise<Response | undefined> {
  const page = await caches.match(pageFor(pathname), { cacheName: own })
  if (!page) return undefined
  const headers = new Headers(page.headers)
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  return new Response(markOffline(await page.text()), { headers })
}

const keptFile = (request: Request) => caches.match(request, { ignoreVary: true, ignoreSearch: true, cacheName: own })

async function serveFile(request: Request): Promise<Response> {
  const kept = await caches.match(request, { ignoreVary: true })
  if (kept) return kept
  const response = await fetch(request)
  // Large files are cached on first use.
  if (response.ok) await (await caches.open(own)).put(request, response.clone()).catch(() => undefined)
  return response
}

/** Resolves to the network's response, or to the cached one on timeout, failure, or an unavailable server. */
async function fromNetwork(
  asked: Promise<Response>,
  kept: () => Promise<Response | undefined>,
  waitMs: number,
): Promise<Response> {
  const answer = await Promise.race([asked.catch(() => undefined), after(waitMs)])
  if (answer && !isAway(answer.status)) {
    doubtUntil = 0
    return answer
  }
  doubtUntil = Date.now() + DOUBT_MS
  return (await kept()) ?? answer ?? (await asked)
}

const after = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms))

self.addEventListener('message', (event) => {
  const { type } = event.data as { readonly type?: string }
  // The user accepted the update, or all open pages already belong to this build.
  if (type === 'activate') void self.skipWaiting()
  if (type === 'which-build') event.ports[0]?.postMessage(build.entry)
})

listenForPush(self as unknown as PushScope)
