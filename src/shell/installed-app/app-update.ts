import { createStore } from '#src/lib/store.ts'

const ADDRESS = '/worker.js'
/** Minimum interval between update checks. An app open for days checks when the user returns to it. */
const LOOK_AGAIN_MS = 60 * 60_000

/** Function that activates a newer version; undefined if there is none. Nothing changes until the user accepts. */
export const updateOffer = createStore<(() => void) | undefined>(undefined)

/** Entry script of this page, used to detect whether a worker belongs to the same build. */
export const ownEntry = (): string | undefined => {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  return script ? new URL(script.src).pathname : undefined
}

type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string }
}
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** The only URL that the page's Trusted Types policy allows (R73); plain text in browsers without Trusted Types. */
function workerAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: () => ADDRESS })
  return policy?.createScriptURL(ADDRESS) ?? ADDRESS
}

/**
 * Registers the service worker and watches for updates. Returns the unsubscribe function. Without service workers
 * (private windows, old browsers) the app runs online only.
 */
export function followUpdates(): () => void {
  const workers = (navigator as Partial<Navigator>).serviceWorker
  if (!workers) return () => undefined
  let registration: ServiceWorkerRegistration | undefined
  let lookedAtMs = Date.now()
  const onReturn = () => {
    if (document.visibilityState !== 'visible' || Date.now() - lookedAtMs < LOOK_AGAIN_MS) return
    lookedAtMs = Date.now()
    registration?.update().catch(() => undefined)
  }
  const onFound = () => {
    const found = registration?.installing
    found?.addEventListener('statechange', () => {
      if (found.state === 'installed' && workers.controller) void offer(registration!, found)
    })
  }
  // A chunk of the old build is gone from the server and was not cached by the worker.
  const onMissing = () => void registration?.update().catch(() => undefined)
  document.addEventListener('visibilitychange', onReturn)
  window.addEventListener('vite:preloadError', onMissing)
  workers.register(workerAddress(), { updateViaCache: 'none' }).then(
    (found) => {
      // May be undefined when the browser's settings block workers.
      registration = found as ServiceWorkerRegistration | undefined
      registration?.addEventListener('updatefound', onFound)
      onFound()
      if (registration?.waiting && workers.controller) void offer(registration, registration.waiting)
    },
    (error: unknown) => console.warn('No worker', error),
  )
  return () => {
    document.removeEventListener('visibilitychange', onReturn)
    window.removeEventListener('vite:preloadError', onMissing)
    registration?.removeEventListener('updatefound', onFound)
  }
}

async function offer(registration: ServiceWorkerRegistration, worker: ServiceWorker): Promise<void> {
  // The network already served this page from the new build, so its worker can activate.
  if ((await entryOf(worker)) === ownEntry()) worker.postMessage({ type: 'activate' })
  else updateOffer.set(() => changeTo(registration))
}

function entryOf(worker: ServiceWorker): Promise<unknown> {
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = ({ data }) => resolve(data)
    worker.postMessage({ type: 'which-build' }, [port2])
  })
}

function changeTo({ waiting }: ServiceWorkerRegistration): void {
  // Another tab has activated the update already.
  if (!waiting) {
    location.reload()
    return
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  waiting.postMessage({ type: 'activate' })
}
