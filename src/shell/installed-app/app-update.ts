import { createStore } from '#src/lib/store.ts'

const ADDRESS = '/worker.js'
/** An app that stays open for days asks whether there is a newer one when somebody comes back to it, at most this often. */
const LOOK_AGAIN_MS = 60 * 60_000

/** Changes to the newer version; undefined while this is the newest. Nothing happens until somebody presses it. */
export const updateOffer = createStore<(() => void) | undefined>(undefined)

/** The script that the page names: by it a worker is known to be of the same build. */
export const ownEntry = (): string | undefined => {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  return script ? new URL(script.src).pathname : undefined
}

type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(url: string): string }
}
let policy: ReturnType<TrustedTypes['createPolicy']> | undefined

/** The one address that the page's Trusted Types let through (R73). Where browsers know none of them it is plain text. */
function workerAddress(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes }
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: () => ADDRESS })
  return policy?.createScriptURL(ADDRESS) ?? ADDRESS
}

/**
 * Registers the worker and watches for newer ones until the function that it returns is called. Without workers (a private window, an old browser) the product runs as
 * before, with a network.
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
  // Part of the page is gone with the former build, and the worker did not have it.
  const onMissing = () => void registration?.update().catch(() => undefined)
  document.addEventListener('visibilitychange', onReturn)
  window.addEventListener('vite:preloadError', onMissing)
  workers.register(workerAddress(), { updateViaCache: 'none' }).then(
    (found) => {
      // Blocked by the browser's settings, it may be nothing.
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
  // The network has brought this page of the new build already: its worker may begin.
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
  // Another tab has changed already.
  if (!waiting) {
    location.reload()
    return
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => location.reload(), { once: true })
  waiting.postMessage({ type: 'activate' })
}
