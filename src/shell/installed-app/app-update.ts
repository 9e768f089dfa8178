import { getEntryScriptUrl } from '#src/lib/page-metadata.ts'
import { createExternalStore } from '#src/lib/store.ts'

const WORKER_PATH = '/worker.js'
const MIN_CHECK_INTERVAL_MS = 60 * 60_000

/** Activates a newer version of the app once the user accepts; undefined if there is none. */
export const appUpdateOfferStore = createExternalStore<(() => void) | undefined>(undefined)

type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string }
}
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** Returns the only URL that the page's Trusted Types policy allows (R73); plain text in browsers without them. */
function workerAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: () => WORKER_PATH })
  return policy?.createScriptURL(WORKER_PATH) ?? WORKER_PATH
}

/**
 * Registers the service worker and watches for updates. Returns a function that stops watching. Without service workers
 * (private windows, old browsers) the app works online only.
 */
export function startWatchingForAppUpdates(): () => void {
  const workers = (navigator as Partial<Navigator>).serviceWorker
  if (!workers) return () => undefined
  let registration: ServiceWorkerRegistration | undefined
  let checkedAtMs = Date.now()
  const onReturn = () => {
    if (document.visibilityState !== 'visible' || Date.now() - checkedAtMs < MIN_CHECK_INTERVAL_MS) return
    checkedAtMs = Date.now()
    registration?.update().catch(() => undefined)
  }
  const onFound = () => {
    const newWorker = registration?.installing
    newWorker?.addEventListener('statechange', () => {
      if (newWorker.state === 'installed' && workers.controller) void activateOrOffer(registration!, newWorker)
    })
  }
  // A chunk of the old build is neither on the server nor in the worker's cache, so check for an update.
  const onMissing = () => void registration?.update().catch(() => undefined)
  const listeners = new AbortController()
  const { signal } = listeners
  document.addEventListener('visibilitychange', onReturn, { signal })
  window.addEventListener('vite:preloadError', onMissing, { signal })
  workers.register(workerAddress(), { updateViaCache: 'none' }).then(
    (registered) => {
      // Despite its type, the registration is undefined when the browser's settings block workers.
      registration = registered as ServiceWorkerRegistration | undefined
      registration?.addEventListener('updatefound', onFound, { signal })
      onFound()
      if (registration?.waiting && workers.controller) void activateOrOffer(registration, registration.waiting)
    },
    (error: unknown) => console.warn('No worker', error),
  )
  return () => listeners.abort()
}

async function activateOrOffer(registration: ServiceWorkerRegistration, worker: ServiceWorker): Promise<void> {
  const url = getEntryScriptUrl()
  const isOfThisBuild = (await entryOf(worker)) === (url && new URL(url).pathname)
  // The network already served this page from the new build, so the worker of that build can activate.
  if (isOfThisBuild) worker.postMessage({ type: 'activate' })
  else appUpdateOfferStore.set(() => activate(registration))
}

function entryOf(worker: ServiceWorker): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
    worker.postMessage({ type: 'which-build' }, [port2])
  })
}

function activate({ waiting }: ServiceWorkerRegistration): void {
  // Another tab has already activated the update, so no worker is waiting.
  if (!waiting) {
    location.reload()
    return
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  waiting.postMessage({ type: 'activate' })
}
