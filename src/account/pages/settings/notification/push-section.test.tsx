import { createMemoryHistory } from '@tanstack/react-router'
import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DEFAULT_CHANNEL_PREFERENCES, type NotificationChannels } from '#contract/channels/channel.ts'
import type { PushNotificationState } from '#contract/channels/push.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startSession } from '#src/lib/session-store.ts'
import { buildTestOrganisation } from '#src/matching/api/organisation-for-tests.ts'
import { buildTestSession, buildTestUser } from '#src/report/api/user-api-for-tests.ts'

const KEY = 'B'.repeat(87)
const PHONE = { id: 'phone', name: 'Chrome บน Android', created_at: '2026-11-20T02:00:00Z', told_at: null }
const HERE = {
  id: 'here',
  name: 'Chrome บน Windows',
  created_at: '2026-11-21T02:00:00Z',
  told_at: '2026-11-21T03:00:00Z',
}

let devices: PushNotificationState['devices']
let channels: NotificationChannels
let requests: { call: string; body: unknown }[]
let answers: Record<string, (body: unknown) => Response>

function mockBrowser(permission: NotificationPermission, answer: NotificationPermission = 'granted') {
  let subscription: object | null = null
  const cacheEntries = new Map<string, Response>()
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: vi.fn(async (_options?: object) => {
      subscription = {
        options: { applicationServerKey: Uint8Array.from(atob(KEY + '='), (letter) => letter.charCodeAt(0)).buffer },
        toJSON: () => ({ endpoint: 'https://push.example/x', keys: { p256dh: KEY, auth: 'A'.repeat(22) } }),
        unsubscribe: async () => {
          subscription = null
          return true
        },
      }
      return subscription
    }),
  }
  const registration = { pushManager }
  const requestPermission = vi.fn(async () => {
    vi.stubGlobal('Notification', Object.assign(class {}, { permission: answer, requestPermission }))
    return answer
  })
  vi.stubGlobal('Notification', Object.assign(class {}, { permission, requestPermission }))
  vi.stubGlobal('PushManager', class {})
  vi.stubGlobal('caches', {
    open: async () => ({
      match: async (key: string) => cacheEntries.get(key)?.clone(),
      put: async (key: string, response: Response) => void cacheEntries.set(key, response),
      delete: async (key: string) => cacheEntries.delete(key),
    }),
  })
  Object.defineProperty(navigator, 'serviceWorker', {
    configurable: true,
    value: {
      ready: Promise.resolve(registration),
      getRegistration: async () => registration,
      register: async () => undefined,
    },
  })
  return { requestPermission, pushManager, kept: cacheEntries }
}

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  requests = []
  devices = []
  channels = { channels: [{ channel: 'push', is_on: false, ...DEFAULT_CHANNEL_PREFERENCES }] }
  const push = () => Response.json({ public_key: KEY, devices } satisfies PushNotificationState)
  answers = {
    'GET users/me': () => Response.json(buildTestUser()),
    'GET organisations/me': () => Response.json(buildTestOrganisation()),
    'GET users/me/channels': () => Response.json(channels),
    'GET users/me/push': push,
    'GET users/me/follows': () => Response.json({ follows: [], bell: [], mail: [] }),
    'PUT users/me/push/devices': () => {
      devices = [HERE, ...devices]
      return Response.json({ public_key: KEY, devices, id: 'here', secret: 'secret' })
    },
    'PUT users/me/channels/push': (body) => {
      channels = { channels: [{ channel: 'push', is_on: true, ...(body as typeof DEFAULT_CHANNEL_PREFERENCES) }] }
      return Response.json(channels)
    },
    'DELETE users/me/push/devices/phone': () => {
      devices = devices.filter(({ id }) => id !== 'phone')
      return push()
    },
    'DELETE users/me/push/devices/here': () => {
      devices = devices.filter(({ id }) => id !== 'here')
      return push()
    },
    'POST users/me/push/devices/phone/sample': () =>
      Response.json({ result: 'failed', text: 'บริการแจ้งเตือนของเบราว์เซอร์ไม่รับ (503)' }),
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const call = `${sent.method} ${new URL(sent.url).pathname.replace('/api/v2/', '').replace(/\/$/, '')}`
    const text = await sent.clone().text()
    const body = text === '' ? undefined : JSON.parse(text)
    requests.push({ call, body })
    return answers[call]?.(body) ?? new Response(null, { status: 204 })
  })
  startSession(buildTestSession())
})
afterEach(() => {
  vi.unstubAllGlobals()
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

const ARRIVES = { timeout: 15_000 }
const open = async () => {
  render(<App router={createAppRouter(createMemoryHistory({ initialEntries: ['/settings?tab=notifications'] }))} />)
  return within((await screen.findByRole('heading', { name: 'แจ้งบนเครื่อง' }, ARRIVES)).closest('section')!)
}
const press = async (button: HTMLElement) => await act(async () => fireEvent.click(button))
const sentTo = (call: string) => requests.filter((request) => request.call === call).map(({ body }) => body)

test('asks for permission only on click, subscribes with the server key and stores the worker secret', async () => {
  const browser = mockBrowser('default')
  const section = await open()
  const button = await section.findByRole('button', { name: 'แจ้งบนเครื่องนี้' }, ARRIVES)
  expect(browser.requestPermission).not.toHaveBeenCalled()
  await press(button)
  expect(await section.findByText('เครื่องนี้รับการแจ้งเตือนอยู่', undefined, ARRIVES)).toBeVisible()
  expect(browser.pushManager.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: KEY })
  expect(sentTo('PUT users/me/push/devices')).toEqual([
    { endpoint: 'https://push.example/x', keys: { p256dh: KEY, auth: 'A'.repeat(22) } },
  ])
  expect(await browser.kept.get('/push-device')!.clone().json()).toEqual({
    id: 'here',
    secret: 'secret',
    publicKey: KEY,
  })
  expect(section.getByText('เครื่องนี้', { exact: true })).toBeVisible()
  await press(section.getByRole('button', { name: 'หยุดแจ้งบนเครื่องนี้' }))
  expect(await section.findByRole('button', { name: 'แจ้งบนเครื่องนี้' }, ARRIVES)).toBeVisible()
  expect(browser.kept.size).toBe(0)
})

test('explains a denied permission, and detects when it was granted later', async () => {
  mockBrowser('default', 'denied')
  const section = await open()
  await press(await section.findByRole('button', { name: 'แจ้งบนเครื่องนี้' }, ARRIVES))
  expect(await section.findByText(/ถูกตั้งไม่ให้ตามงานแจ้งเตือน/, undefined, ARRIVES)).toBeVisible()
  expect(sentTo('PUT users/me/push/devices')).toEqual([])
  mockBrowser('default')
  await press(section.getByRole('button', { name: 'ตรวจอีกครั้ง' }))
  expect(await section.findByRole('button', { name: 'แจ้งบนเครื่องนี้' }, ARRIVES)).toBeVisible()
})

test('asks iPhone users to install the app first', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) Safari',
  )
  vi.stubGlobal('isSecureContext', true)
  const section = await open()
  expect(await section.findByText(/เพิ่มไปยังหน้าจอโฮม/, undefined, ARRIVES)).toBeVisible()
  vi.restoreAllMocks()
})

test('saves kinds, quiet hours and working days at once, each with the other settings', async () => {
  mockBrowser('default')
  devices = [PHONE]
  const section = await open()
  const last = () => sentTo('PUT users/me/channels/push').at(-1)
  await press(await section.findByRole('checkbox', { name: /สรุปเช้า/ }, ARRIVES))
  expect(last()).toEqual({
    ...DEFAULT_CHANNEL_PREFERENCES,
    kinds: DEFAULT_CHANNEL_PREFERENCES.kinds.filter((kind) => kind !== 'Morning'),
  })
  await press(section.getByRole('switch', { name: /เฉพาะวันทำการ/ }))
  await act(async () => void fireEvent.change(section.getByLabelText('ถึง'), { target: { value: '08:30' } }))
  expect(last()).toMatchObject({ working_days_only: true, quiet_from: '20:00', quiet_until: '08:30' })
  expect(within(section.getByLabelText('ตั้งแต่')).queryByRole('option', { name: '08:30 น.' })).toBeNull()
  await press(section.getByRole('switch', { name: /ช่วงเวลาเงียบ/ }))
  expect(last()).toMatchObject({ quiet_from: '20:00', quiet_until: '20:00' })
})

test('sends a test to a device and shows the result, and removes a device', async () => {
  mockBrowser('default')
  devices = [PHONE]
  const section = await open()
  await press(await section.findByRole('button', { name: 'ส่งตัวอย่างไปที่ Chrome บน Android' }, ARRIVES))
  expect(await screen.findByText(/ไม่รับ \(503\)/, undefined, ARRIVES)).toBeVisible()
  await press(section.getByRole('button', { name: 'เอา Chrome บน Android ออก' }))
  expect(await screen.findByText('หยุดแจ้งบน Chrome บน Android แล้ว', undefined, ARRIVES)).toBeVisible()
  expect(section.queryByText('เครื่องที่รับการแจ้งเตือน')).toBeNull()
})

test('shows a device that refuses pushes here and in the list, and can renew it with one click', async () => {
  const browser = mockBrowser('granted')
  const refused = { at: '2026-11-21T04:00:00Z', text: 'บริการแจ้งเตือนของเครื่องนี้ไม่รับข้อความจากระบบ' }
  await browser.pushManager.subscribe()
  browser.kept.set('/push-device', Response.json({ id: 'here', secret: 'secret', publicKey: KEY }))
  devices = [
    { ...HERE, refused },
    { ...PHONE, refused },
  ]
  const section = await open()
  expect(await section.findByText('เครื่องนี้เปิดไว้ แต่ยังรับการแจ้งเตือนไม่ได้', undefined, ARRIVES)).toBeVisible()
  expect(section.queryByText('เครื่องนี้รับการแจ้งเตือนอยู่')).toBeNull()
  expect(section.getAllByText('รับไม่ได้')).toHaveLength(2)
  expect(section.getAllByText(/ไม่รับข้อความจากระบบ/)).toHaveLength(3)
  answers['PUT users/me/push/devices'] = () => {
    devices = [HERE, { ...PHONE, refused }]
    return Response.json({ public_key: KEY, devices, id: 'here', secret: 'secret' })
  }
  await press(section.getByRole('button', { name: 'เปิดใหม่บนเครื่องนี้' }))
  expect(await section.findByText('เครื่องนี้รับการแจ้งเตือนอยู่', undefined, ARRIVES)).toBeVisible()
  expect(section.getAllByText('รับไม่ได้')).toHaveLength(1)
})

test('resubscribes after a key change, and removes the old subscription', async () => {
  const browser = mockBrowser('granted')
  browser.kept.set('/push-device', Response.json({ id: 'old', secret: 'old', publicKey: 'C'.repeat(87) }))
  devices = [{ ...HERE, id: 'old' }]
  answers['DELETE users/me/push/devices/old'] = () => {
    devices = devices.filter(({ id }) => id !== 'old')
    return Response.json({ public_key: KEY, devices })
  }
  const section = await open()
  await vi.waitFor(() => expect(sentTo('DELETE users/me/push/devices/old')).toHaveLength(1), ARRIVES)
  expect(browser.pushManager.subscribe).toHaveBeenCalledWith({ userVisibleOnly: true, applicationServerKey: KEY })
  expect(sentTo('PUT users/me/push/devices')).toHaveLength(1)
  expect(browser.requestPermission).not.toHaveBeenCalled()
  expect(await browser.kept.get('/push-device')!.clone().json()).toMatchObject({ id: 'here', publicKey: KEY })
  expect(await section.findByText('เครื่องนี้รับการแจ้งเตือนอยู่', undefined, ARRIVES)).toBeVisible()
})

test.each([
  ['the key is the same', KEY],
  ['push was never switched on here', undefined],
])('does not subscribe when %s', async (_why, publicKey) => {
  const browser = mockBrowser('granted')
  if (publicKey) browser.kept.set('/push-device', Response.json({ id: 'here', secret: 'secret', publicKey }))
  devices = [HERE]
  const section = await open()
  await section.findByText('เครื่องที่รับการแจ้งเตือน', undefined, ARRIVES)
  expect(browser.pushManager.subscribe).not.toHaveBeenCalled()
})

test('shows a load failure', async () => {
  answers['GET users/me/push'] = () => new Response('{}', { status: 500 })
  mockBrowser('default')
  const section = await open()
  expect(await section.findByText('โหลดการแจ้งบนเครื่องไม่สำเร็จ', undefined, ARRIVES)).toBeVisible()
})
