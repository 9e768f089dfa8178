import type { PushPayload } from '#contract/channels/push.ts'
import { PUSH_CACHE_NAME, PUSH_DEVICE_CACHE_KEY, type StoredPushDevice } from './push-device-cache.ts'

/**
 * Web push in the service worker: shows messages, handles their buttons, opens pages, and reports a changed
 * subscription to the server. The worker's entry calls `listenForPush(self)`. Must work without a session, because the
 * worker has none.
 */

type Scope = ServiceWorkerGlobalScope

/** Adds `actions`, which the DOM library's type lacks. Browsers without support ignore it. */
export type NotificationOptionsWithActions = NotificationOptions & {
  readonly timestamp?: number
  readonly actions?: readonly { readonly action: string; readonly title: string }[]
}

/** Buttons in display order; some browsers show only the first two. Most notifications carry only some of them. */
const ACTIONS = {
  relevant: { title: 'เกี่ยว', done: 'บันทึกว่าเกี่ยวแล้ว' },
  irrelevant: { title: 'ไม่เกี่ยว', done: 'บันทึกว่าไม่เกี่ยวแล้ว และซ่อนจากรายงาน' },
  seen: { title: 'เคยเห็นแล้ว', done: 'บันทึกว่าเคยเห็นแล้ว' },
  undo: { title: 'เลิกทำ', done: 'เลิกทำแล้ว' },
  star: { title: 'ติดดาว', done: 'ติดดาวแล้ว' },
  hide: { title: 'ไม่สนใจ', done: 'ซ่อนจากรายงานแล้ว' },
} as const
type NotificationAction = keyof typeof ACTIONS
const ACTION_NAMES = Object.keys(ACTIONS) as readonly NotificationAction[]
const isNotificationAction = (action: string): action is NotificationAction => action in ACTIONS

/** Data of our notifications: the target and a token for `POST /mail-links` per button. */
type NotificationData = { readonly path: string } & { readonly [Action in NotificationAction]?: string }

const FALLBACK_PAYLOAD: PushPayload = {
  id: 'unreadable',
  title: 'มีเรื่องใหม่ในตามงาน',
  body: 'เปิดตามงานเพื่อดู',
  path: '/report',
  unread: 0,
  at: 0,
}

export function listenForPush(scope: Scope): void {
  scope.addEventListener('push', (event) => event.waitUntil(showPush(scope, event)))
  scope.addEventListener('notificationclick', (event) => event.waitUntil(handleClick(scope, event)))
  scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(reportNewSubscription(scope, event)))
}

/** Shows a notification for every push, even a malformed one, because browsers penalise silent pushes. */
async function showPush(scope: Scope, { data }: PushEvent): Promise<void> {
  const payload = readPayload(data)
  const { id, title, body, unread, at, ...carried } = payload
  await showNotification(scope, { tag: id, title, body, carried, at })
  await setBadge(scope, unread)
}

function readPayload(data: PushEvent['data']): PushPayload {
  try {
    const payload = data?.json() as Partial<PushPayload> | null | undefined
    const isValid = typeof payload?.id === 'string' && typeof payload.title === 'string' && payload.title !== ''
    return isValid ? { ...FALLBACK_PAYLOAD, body: '', ...payload } : FALLBACK_PAYLOAD
  } catch {
    return FALLBACK_PAYLOAD
  }
}

type NotificationContent = {
  readonly tag: string
  readonly title: string
  readonly body: string
  readonly carried: NotificationData
  readonly at: number
}

async function showNotification(
  { registration }: Scope,
  { tag, title, body, carried, at }: NotificationContent,
): Promise<void> {
  const actions = ACTION_NAMES.flatMap((action) =>
    carried[action] === undefined ? [] : [{ action, title: ACTIONS[action].title }],
  )
  const options: NotificationOptionsWithActions = {
    body,
    tag,
    icon: '/icon-192.png',
    badge: '/icon-192.png',
    lang: 'th',
    data: carried,
    actions,
    ...(at > 0 && { timestamp: at }),
  }
  await registration.showNotification(title, options)
}

async function handleClick(scope: Scope, { action, notification }: NotificationEvent): Promise<void> {
  const carried = (notification.data ?? { path: '/report' }) as NotificationData
  notification.close()
  if (isNotificationAction(action) && carried[action] !== undefined) await runAction(scope, action, carried)
  else await openPage(scope, carried.path)
}

/** Runs a notification button and always shows the outcome, so that a failed action does not go unnoticed. */
async function runAction(
  scope: Scope,
  action: NotificationAction,
  { path, star, [action]: token = '' }: NotificationData,
): Promise<void> {
  const tag = `done ${token.slice(-12)}`
  try {
    const response = await post(scope, '/api/v2/mail-links', { token })
    if (!response.ok) throw new Error(String(response.status))
    const { project, undo } = (await response.json()) as { project?: { name: string } | null; undo?: string | null }
    const carried: NotificationData = {
      path,
      ...(typeof undo === 'string' && action !== 'undo' && { undo }),
      ...(action === 'relevant' && star !== undefined && { star }),
    }
    await showNotification(scope, { tag, title: ACTIONS[action].done, body: project?.name ?? '', carried, at: 0 })
  } catch (error) {
    // 4xx: the token is used or expired. Without a status there was no network: the button works again.
    const isRefused = error instanceof Error && /^4\d\d$/.test(error.message)
    const body = isRefused ? 'ปุ่มนี้ใช้ไปแล้วหรือหมดอายุ กดเพื่อเปิดโครงการ' : 'เชื่อมต่อไม่ได้ ลองกดอีกครั้ง'
    const carried: NotificationData = isRefused ? { path } : { path, [action]: token }
    await showNotification(scope, { tag, title: 'ยังทำไม่สำเร็จ', body, carried, at: 0 })
  }
}

/** Focuses a window with the page, else opens a new one: navigating another window could lose typed text. */
async function openPage({ clients, location }: Scope, path: string): Promise<void> {
  const target = new URL(path, location.origin)
  // The payload may contain a foreign URL, so check that the origin is ours.
  const url = target.origin === location.origin ? target.href : location.origin
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true })
  const existingWindow = windows.find((window) => window.url === url)
  await (existingWindow ? existingWindow.focus() : clients.openWindow(url))
}

async function setBadge({ navigator }: Scope, unread: number): Promise<void> {
  try {
    await (unread > 0 ? navigator.setAppBadge?.(unread) : navigator.clearAppBadge?.())
  } catch {
    // The badge is optional, so ignore failures.
  }
}

/** Reports a changed subscription. A stored secret proves that the report is from the same device. */
async function reportNewSubscription(scope: Scope, { newSubscription }: PushSubscriptionChangeEvent): Promise<void> {
  const cache = await scope.caches.open(PUSH_CACHE_NAME)
  const stored = await cache.match(PUSH_DEVICE_CACHE_KEY)
  if (!stored) return
  const { secret, publicKey } = (await stored.json()) as StoredPushDevice
  const subscription =
    newSubscription ??
    (await scope.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }))
  const { endpoint, keys } = subscription.toJSON()
  const response = await post(scope, '/api/v2/push-renewals', { secret, endpoint, keys })
  // Status 404 means that the user has logged out, so stop reporting.
  if (response.status === 404) await cache.delete(PUSH_DEVICE_CACHE_KEY)
}

const post = (scope: Scope, address: string, body: object) =>
  scope.fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    credentials: 'omit',
  })
