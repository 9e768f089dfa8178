import { listenForPush } from './push-events.ts'
import {
  buildCacheName,
  findOutdatedCaches,
  getServingStrategy,
  isServerUnavailableStatus,
  markPageOffline,
  OFFLINE_CACHED_PAGE_PATH,
  pageBelongsToBuild,
  type WorkerBuildManifest,
} from './serving-strategy.ts'

/**
 * Service worker (decision 0131): serves the page and its code offline, and code to pages opened before a deployment.
 * It never sees API responses. Handlers of other events are imported from separate files.
 */
declare const self: ServiceWorkerGlobalScope
declare const __BUILD__: WorkerBuildManifest
/** Reference `__BUILD__` only once, because the build inlines the whole list at each use. */
const build = __BUILD__

/** Then the cached page is served: with a poor signal a device reports a network but gets no response. */
const MAX_NETWORK_WAIT_MS = 4000
/** After a network timeout, further files come from the cache for this long, without waiting for the network. */
const OFFLINE_ASSUMED_MS = 10_000
/** Maximum parallel fetches during installation; low, so that user requests take precedence. */
const INSTALL_CONCURRENCY = 4

const currentCache = buildCacheName(build.id)
let assumeOfflineUntil = 0

self.addEventListener('install', (event) => {
  // Where supported, API calls bypass the worker and do not wait for its start.
  const installEvent = event as ExtendableEvent & { addRoutes?: (rules: object) => Promise<void> }
  const apiBypass = installEvent
    .addRoutes?.({ condition: { urlPattern: '/api/*' }, source: 'network' })
    .catch(() => undefined)
  event.waitUntil(Promise.all([apiBypass, cacheBuild()]))
})

/** If a file is missing, the worker is not installed at all, and the browser retries on the next visit. */
async function cacheBuild(): Promise<void> {
  const cache = await caches.open(currentCache)
  await cache.put(OFFLINE_CACHED_PAGE_PATH, await fetchPage(OFFLINE_CACHED_PAGE_PATH))
  const remaining = [...build.files, ...build.loose]
  const cacheRemaining = async (): Promise<void> => {
    for (let file = remaining.pop(); file !== undefined; file = remaining.pop()) await cacheFile(cache, file)
  }
  await Promise.all(Array.from({ length: INSTALL_CONCURRENCY }, cacheRemaining))
}

async function fetchPage(page: string): Promise<Response> {
  const response = await fetch(page, { headers: { accept: 'text/html' }, cache: 'no-store', credentials: 'omit' })
  if (!response.ok || !pageBelongsToBuild(await response.clone().text(), build))
    throw new Error(`${page} belongs to a different build`)
  return response
}

async function cacheFile(cache: Cache, file: string): Promise<void> {
  const isHashed = file.startsWith('/assets/')
  const cachedCopy = isHashed ? await caches.match(file) : undefined
  const options = { priority: 'low', ...(isHashed ? {} : { cache: 'no-store' }) } as RequestInit
  const response = cachedCopy ?? (await fetch(file, options))
  if (!response.ok) throw new Error(`${file}: ${response.status}`)
  await cache.put(file, response)
}

self.addEventListener('activate', (event) => event.waitUntil(activateWorker()))

async function activateWorker(): Promise<void> {
  await self.registration.navigationPreload?.enable()
  for (const name of findOutdatedCaches(await caches.keys(), build.id)) await caches.delete(name)
  await self.clients.claim()
}

self.addEventListener('fetch', (event) => {
  const { request } = event
  const serving = getServingStrategy(request, self.location.origin, build.loose)
  if (serving === 'page') event.respondWith(servePage(event))
  else if (serving === 'file') event.respondWith(serveFile(request))
  else if (serving === 'loose') {
    const waitMs = Date.now() < assumeOfflineUntil ? 0 : MAX_NETWORK_WAIT_MS
    event.respondWith(networkFirst(fetch(request), () => cachedFile(request), waitMs))
  }
})

function servePage(event: FetchEvent): Promise<Response> {
  const { request } = event
  const preloaded = event.preloadResponse as Promise<Response | undefined>
  const pageRequest = preloaded.then((response) => response ?? fetch(request))
  return networkFirst(pageRequest, cachedPage, MAX_NETWORK_WAIT_MS)
}

async function cachedPage(): Promise<Response | undefined> {
  const page = await caches.match(OFFLINE_CACHED_PAGE_PATH, { cacheName: currentCache })
  if (!page) return undefined
  const headers = new Headers(page.headers)
  for (const name of ['content-encoding', 'content-length']) headers.delete(name)
  return new Response(markPageOffline(await page.text()), { headers })
}

const cachedFile = (request: Request) =>
  caches.match(request, { ignoreVary: true, ignoreSearch: true, cacheName: currentCache })

async function serveFile(request: Request): Promise<Response> {
  const cached = await caches.match(request, { ignoreVary: true })
  if (cached) return cached
  const response = await fetch(request)
  if (response.ok) await (await caches.open(currentCache)).put(request, response.clone()).catch(() => undefined)
  return response
}

/** Resolves to the response, or to the cached one after a timeout, a failure, or if the server is unavailable. */
async function networkFirst(
  networkResponse: Promise<Response>,
  getCached: () => Promise<Response | undefined>,
  waitMs: number,
): Promise<Response> {
  const response = await Promise.race([networkResponse.catch(() => undefined), delay(waitMs)])
  if (response && !isServerUnavailableStatus(response.status)) {
    assumeOfflineUntil = 0
    return response
  }
  assumeOfflineUntil = Date.now() + OFFLINE_ASSUMED_MS
  return (await getCached()) ?? response ?? (await networkResponse)
}

const delay = (ms: number) => new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), ms))

self.addEventListener('message', (event) => {
  const { type } = event.data as { readonly type?: string }
  // The page sends this message when the user accepted the update, or when all open pages already belong to this build.
  if (type === 'activate') void self.skipWaiting()
  if (type === 'which-build') event.ports[0]?.postMessage(build.entry)
})

listenForPush(self)
