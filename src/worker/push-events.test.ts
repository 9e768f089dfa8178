import { beforeEach, expect, test, vi } from 'vitest'
import type { PushPayload } from '#contract/channels/push.ts'
import { PUSH_CACHE_NAME, PUSH_DEVICE_CACHE_KEY } from './push-device-cache.ts'
import { listenForPush, type NotificationOptionsWithActions } from './push-events.ts'

type Listener = (event: object) => void

function fakeScope() {
  const listeners = new Map<string, Listener>()
  const notifications: { title: string; options: NotificationOptionsWithActions }[] = []
  const requests: { address: string; body: unknown; credentials: string | undefined }[] = []
  const opened: string[] = []
  const focused: string[] = []
  const windows: string[] = []
  const badges: number[] = []
  const cacheEntries = new Map<string, Response>()
  const answers: (Response | Error)[] = []
  const subscribe = vi.fn(async () => subscriptionAt('https://push.example/subscribed'))
  const scope = {
    addEventListener: (type: string, listener: Listener) => void listeners.set(type, listener),
    registration: {
      showNotification: async (title: string, options: NotificationOptionsWithActions) =>
        void notifications.push({ title, options }),
      pushManager: { subscribe },
    },
    clients: {
      matchAll: async () => windows.map((url) => ({ url, focus: async () => void focused.push(url) })),
      openWindow: async (url: string) => void opened.push(url),
    },
    navigator: {
      setAppBadge: async (unread: number) => void badges.push(unread),
      clearAppBadge: async () => void badges.push(0),
    },
    location: { origin: 'https://tamngan.example' },
    caches: {
      open: async (name: string) => {
        expect(name).toBe(PUSH_CACHE_NAME)
        return {
          match: async (key: string) => cacheEntries.get(key),
          delete: async (key: string) => cacheEntries.delete(key),
        }
      },
    },
    fetch: async (address: string, { body, credentials }: RequestInit) => {
      requests.push({ address, body: JSON.parse(String(body)), credentials })
      const answer = answers.shift()!
      if (answer instanceof Error) throw answer
      return answer
    },
  }
  listenForPush(scope as unknown as ServiceWorkerGlobalScope)
  const send = async (type: string, event: object) => {
    const work: Promise<unknown>[] = []
    listeners.get(type)!({ ...event, waitUntil: (promise: Promise<unknown>) => void work.push(promise) })
    await Promise.all(work)
  }
  return {
    send,
    shown: notifications,
    asked: requests,
    opened,
    focused,
    windows,
    badges,
    kept: cacheEntries,
    answers,
    subscribe,
  }
}

const subscriptionAt = (endpoint: string) => ({ toJSON: () => ({ endpoint, keys: { p256dh: 'p', auth: 'a' } }) })
const PAYLOAD: PushPayload = {
  id: 'message',
  title: 'ยื่นข้อเสนอ เหลือ 1 วัน',
  body: 'ซื้อกล้อง',
  path: '/report/69119000001',
  unread: 3,
  at: 1_763_600_000_000,
  star: 'token-to-star',
  hide: 'token-to-hide',
}

let worker: ReturnType<typeof fakeScope>
beforeEach(() => {
  worker = fakeScope()
})
const push = (payload: unknown) => worker.send('push', { data: { json: () => payload } })
const click = (at: number, action = '') => {
  const close = vi.fn()
  return worker
    .send('notificationclick', { action, notification: { data: worker.shown[at]!.options.data, close } })
    .then(() => expect(close).toHaveBeenCalledOnce())
}

test('shows a message with its buttons and tag, and sets the badge to the unread count', async () => {
  await push(PAYLOAD)
  expect(worker.shown).toEqual([
    {
      title: PAYLOAD.title,
      options: expect.objectContaining({
        body: 'ซื้อกล้อง',
        tag: 'message',
        lang: 'th',
        timestamp: PAYLOAD.at,
        actions: [
          { action: 'star', title: 'ติดดาว' },
          { action: 'hide', title: 'ไม่สนใจ' },
        ],
      }),
    },
  ])
  await push({ ...PAYLOAD, star: undefined, hide: undefined, unread: 0 })
  expect(worker.shown[1]!.options.actions).toEqual([])
  expect(worker.badges).toEqual([3, 0])
})

test.each([
  ['no data', null],
  ['no JSON', { json: () => JSON.parse('x') }],
  ['something else', { json: () => ({ title: 5 }) }],
])('%s: shows a generic message', async (_, data) => {
  await worker.send('push', { data })
  expect(worker.shown.map(({ title }) => title)).toEqual(['มีเรื่องใหม่ในตามงาน'])
  await click(0)
  expect(worker.opened).toEqual(['https://tamngan.example/report'])
})

test('opens the target on a click, or focuses its window, and leaves other windows alone', async () => {
  worker.windows.push('https://tamngan.example/settings')
  await push(PAYLOAD)
  await click(0)
  worker.windows.push('https://tamngan.example/report/69119000001')
  await click(0)
  expect(worker.opened).toEqual(['https://tamngan.example/report/69119000001'])
  expect(worker.focused).toEqual(['https://tamngan.example/report/69119000001'])
})

test.each(['https://evil.example/x', '//evil.example/x', 'javascript:alert(1)'])(
  'never opens %s on a click',
  async (path) => {
    await push({ ...PAYLOAD, path })
    await click(0)
    expect(worker.opened).toEqual(['https://tamngan.example'])
  },
)

test('R72: sends the token of a button without a session, confirms it, and undoes it', async () => {
  await push(PAYLOAD)
  worker.answers.push(Response.json({ project: { name: 'ซื้อกล้อง' }, undo: 'token-to-unstar' }))
  await click(0, 'star')
  expect(worker.asked).toEqual([
    { address: '/api/v2/mail-links', body: { token: 'token-to-star' }, credentials: 'omit' },
  ])
  expect(worker.opened).toEqual([])
  expect(worker.shown[1]).toMatchObject({
    title: 'ติดดาวแล้ว',
    options: { body: 'ซื้อกล้อง', actions: [{ action: 'undo', title: 'เลิกทำ' }] },
  })
  worker.answers.push(Response.json({ project: { name: 'ซื้อกล้อง' }, undo: 'again' }))
  await click(1, 'undo')
  expect(worker.asked[1]!.body).toEqual({ token: 'token-to-unstar' })
  expect(worker.shown[2]).toMatchObject({ title: 'เลิกทำแล้ว', options: { actions: [] } })
})

test('an answer is sent, confirmed and undone like a star, and เกี่ยว offers the star next', async () => {
  const answers = { relevant: 'token-relevant', irrelevant: 'token-irrelevant', seen: 'token-seen' }
  await push({ ...PAYLOAD, hide: undefined, ...answers })
  expect(worker.shown[0]!.options.actions!.map(({ title }) => title)).toEqual([
    ...['เกี่ยว', 'ไม่เกี่ยว', 'เคยเห็นแล้ว', 'ติดดาว'],
  ])
  worker.answers.push(Response.json({ project: { name: 'ซื้อกล้อง' }, undo: 'token-to-undo' }))
  await click(0, 'relevant')
  expect(worker.asked[0]!.body).toEqual({ token: 'token-relevant' })
  expect(worker.shown[1]).toMatchObject({
    title: 'บันทึกว่าเกี่ยวแล้ว',
    options: {
      actions: [
        { action: 'undo', title: 'เลิกทำ' },
        { action: 'star', title: 'ติดดาว' },
      ],
    },
  })
  worker.answers.push(Response.json({ project: { name: 'ซื้อกล้อง' }, undo: 'again' }))
  await click(1, 'undo')
  expect(worker.asked[1]!.body).toEqual({ token: 'token-to-undo' })
  expect(worker.shown[2]!.title).toBe('เลิกทำแล้ว')
})

test('links a used button to the project, and allows another press without a network', async () => {
  await push(PAYLOAD)
  worker.answers.push(new Response('', { status: 400 }), new TypeError('no network'))
  await click(0, 'hide')
  expect(worker.shown[1]).toMatchObject({
    title: 'ยังทำไม่สำเร็จ',
    options: { actions: [], data: { path: PAYLOAD.path } },
  })
  await click(0, 'hide')
  expect(worker.shown[2]!.options.actions).toEqual([{ action: 'hide', title: 'ไม่สนใจ' }])
})

test('sends a new endpoint with the secret stored by the page, and nothing without one', async () => {
  const change = (event: object = {}) => worker.send('pushsubscriptionchange', event)
  await change()
  expect(worker.asked).toEqual([])
  const keep = () => worker.kept.set(PUSH_DEVICE_CACHE_KEY, Response.json({ secret: 's', publicKey: 'key' }))
  keep()
  worker.answers.push(new Response(null, { status: 204 }), new Response(null, { status: 404 }))
  await change({ newSubscription: subscriptionAt('https://push.example/new') })
  expect(worker.subscribe).not.toHaveBeenCalled()
  keep()
  await change()
  expect(worker.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: 'key' })
  expect(worker.asked.map(({ body }) => body)).toEqual([
    { secret: 's', endpoint: 'https://push.example/new', keys: { p256dh: 'p', auth: 'a' } },
    { secret: 's', endpoint: 'https://push.example/subscribed', keys: { p256dh: 'p', auth: 'a' } },
  ])
  expect(worker.kept.size).toBe(0)
})
