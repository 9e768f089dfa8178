import type { BrowserPushSubscription, PushDevice } from '#contract/channels/push.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { addPushDevice, pushStateQuery, removePushDevice } from '#src/channels/api/channels.ts'
import { PUSH_CACHE_NAME, PUSH_DEVICE_CACHE_KEY, type StoredPushDevice } from '#src/worker/push-device-cache.ts'

/**
 * State of push in this browser. `install`: iPhone or iPad, where only installed apps get push. `insecure`: no https.
 * `denied`: the user refused, and only browser settings can undo that.
 */
export type BrowserPushState =
  | { readonly kind: 'install' | 'insecure' | 'unsupported' | 'denied' | 'off' }
  /** `refusal`: the push service rejects our messages; the text says what to do. */
  | { readonly kind: 'on'; readonly id: string; readonly refusal?: string }

/** Maximum wait for the service worker, which registers after the first screen. */
const WORKER_TIMEOUT_MS = 15_000

export async function detectBrowserPushState(
  devices: readonly Pick<PushDevice, 'id' | 'refused'>[],
): Promise<BrowserPushState> {
  if (!('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator)) {
    if (!window.isSecureContext) return { kind: 'insecure' }
    return { kind: isApplePhone() ? 'install' : 'unsupported' }
  }
  if (Notification.permission === 'denied') return { kind: 'denied' }
  const stored = await readStoredDevice()
  const device = devices.find(({ id }) => id === stored?.id)
  if (Notification.permission !== 'granted' || !stored || !device) return { kind: 'off' }
  const registration = await navigator.serviceWorker.getRegistration()
  if (!(await registration?.pushManager.getSubscription())) return { kind: 'off' }
  return { kind: 'on', id: stored.id, ...(device.refused && { refusal: device.refused.text }) }
}

/** True on an iPhone or iPad; iPads identify as Macs. */
const isApplePhone = () =>
  /iPhone|iPad/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

type StoredDevice = StoredPushDevice & { readonly id: string }

async function readStoredDevice(): Promise<StoredDevice | undefined> {
  const cache = await caches.open(PUSH_CACHE_NAME)
  return (await (await cache.match(PUSH_DEVICE_CACHE_KEY))?.json()) as StoredDevice | undefined
}

/** Must run in a click handler. Rejects if the worker, push service or server fails. */
export async function enablePush(publicKey: string): Promise<'on' | 'denied' | 'asked'> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted') return permission === 'denied' ? 'denied' : 'asked'
  await subscribe(publicKey)
  return 'on'
}

/**
 * Resubscribes if this browser is registered with a push key that the server no longer uses, because push services
 * reject messages signed with another key. Never prompts. Does nothing without permission or if push was never enabled
 * in this browser.
 */
export async function renewPushSubscription(): Promise<void> {
  if (!('PushManager' in window && 'Notification' in window && 'serviceWorker' in navigator)) return
  if (Notification.permission !== 'granted' || !(await readStoredDevice())) return
  const { public_key: publicKey } = await queryClient.query(pushStateQuery)
  await serialise(async () => {
    const stored = await readStoredDevice()
    if (!stored || publicKey === stored.publicKey) return
    await subscribe(publicKey)
    // The server has the new subscription, so remove the dead endpoint.
    await removePushDevice(stored.id).catch(() => undefined)
  })
}

let renewing: Promise<unknown> = Promise.resolve()
/** Serialises renewals by several tabs or a double mount, so that the second renewal finds nothing to do. */
function serialise<T>(work: () => Promise<T>): Promise<T> {
  const { locks } = navigator as Partial<Navigator>
  if (locks) return locks.request('tamngan.push-renewal', work) as Promise<T>
  const turn = renewing.then(work, work)
  renewing = turn.catch(() => undefined)
  return turn
}

async function subscribe(publicKey: string): Promise<void> {
  const { pushManager } = await waitForWorker()
  const before = await pushManager.getSubscription()
  const isOurs = before !== null && keyOf(before) === publicKey
  if (before && !isOurs) await before.unsubscribe()
  const subscription =
    before && isOurs ? before : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = subscription.toJSON() as BrowserPushSubscription
  const { id, secret } = await addPushDevice({ endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } })
  const device: StoredDevice = { id, secret, publicKey }
  await (await caches.open(PUSH_CACHE_NAME)).put(PUSH_DEVICE_CACHE_KEY, Response.json(device))
}

export async function disablePush(id: string): Promise<void> {
  await removePushDevice(id)
  await (await caches.open(PUSH_CACHE_NAME)).delete(PUSH_DEVICE_CACHE_KEY)
  const registration = await navigator.serviceWorker.getRegistration()
  await (await registration?.pushManager.getSubscription())?.unsubscribe().catch(() => false)
}

async function waitForWorker(): Promise<ServiceWorkerRegistration> {
  let limit: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new Error('no worker')), WORKER_TIMEOUT_MS)
  })
  try {
    return await Promise.race([navigator.serviceWorker.ready, tooLate])
  } finally {
    clearTimeout(limit)
  }
}

/** Returns the subscription's key in the server's format: base64url without padding. */
function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
