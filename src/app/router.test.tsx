import { createMemoryHistory } from '@tanstack/react-router'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Organisation } from '#contract/account/organisation.ts'
import type { User } from '#contract/account/user.ts'
import { APP_SCREENS } from '#contract/screen.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { getCurrentSession, startSession } from '#src/lib/session-store.ts'
import { App } from './app.tsx'
import { type AppRouter, createAppRouter } from './router.ts'
import { startHandlingSessionEnd } from './start-handling-session-end.ts'

const encode = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
const tokenOf = (sub: string, lifetimeSeconds = 1800) =>
  `${encode({})}.${encode({ sub, org: '1', iat: 1000, exp: 1000 + lifetimeSeconds })}.s`
const user: User = {
  id: '1',
  first_name: 'พิมพ์ชนก',
  last_name: 'วงศ์สวัสดิ์',
  email: 'pim@example.co.th',
  role: 'member_user',
  is_send_report_email: true,
  is_noti_e_bidding: false,
  customize_report_table: [],
  project_bookmark: [],
  project_hidden: [],
  project_labels: [],
  project_label_assignments: {},
  project_save_filter_profile: [],
  notification_updated_status: { clickRead: true, notifications: [] },
  is_access_budget_year: null,
  label_metadata: { maxLabels: 10, currentCount: 0, canCreateMore: true, remainingSlots: 10 },
}
const organisation: Organisation = {
  code: 'acme',
  name: 'บริษัทตัวอย่าง',
  customer_config: {
    report_start_date: null,
    min_project_budget: '0',
    max_project_budget: '0',
    search_by_ai: false,
    search_by_name: true,
    search_by_deptsub: true,
    limit_include_by_name: 10,
    limit_exclude_by_name: 10,
    limit_include_by_ai: 10,
    limit_exclude_by_ai: 10,
    limit_include_by_deptsub: 10,
    not_allow_start_time: '01:00:00',
    not_allow_end_time: '09:00:00',
    start_date_report: null,
    end_date_report: null,
    start_date_budgetyear: null,
    end_date_budgetyear: null,
  },
  ai_include: [],
  ai_exclude: [],
  include: [],
  exclude: [],
  deptsub_include: [],
  keyword_groups: [],
  customer_use_package: 'Pro',
  business_types: [],
  areasWithProvinces: {},
  areasFilterReport: null,
  is_access_budget_year_only: false,
  is_access_budget_year: true,
  allow_access_budget_year: '2569',
  is_company_compare: true,
  is_access_company_comparison: true,
  register_status: { is_register_completed: true, is_watchlist_completed: true },
}

let answers: Record<string, () => Response | Promise<Response>>
const requests: { path: string; body: unknown }[] = []
let stop: () => void = () => undefined

beforeEach(() => {
  localStorage.clear()
  queryClient.clear()
  requests.length = 0
  answers = {
    'users/me': () => Response.json(user),
    'organisations/me': () => Response.json(organisation),
    'auth/login/': () => Response.json({ access: tokenOf('1'), refresh: 'r1' }),
    'auth/auto-login/': () => Response.json({ access: tokenOf('9'), refresh: 'r9' }),
    'auth/logout/': () => Response.json({}),
  }
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const sent = new Request(input, init)
    const path = new URL(sent.url).pathname.replace('/api/v2/', '')
    requests.push({ path, body: sent.method === 'GET' ? undefined : await sent.clone().json() })
    return (answers[path] ?? (() => Response.json({ code: 'not_found' }, { status: 404 })))()
  })
})
afterEach(() => {
  stop()
  vi.unstubAllGlobals()
})

function start(address: string): AppRouter {
  const router = createAppRouter(createMemoryHistory({ initialEntries: [address] }))
  stop = startHandlingSessionEnd(router)
  render(<App router={router} />)
  return router
}
const signIn = (sub = '1') =>
  startSession({
    access: tokenOf(sub),
    refresh: 'r1',
    isDemo: false,
    receivedAtMs: Date.now(),
    expiresAtMs: Date.now() + 60_000,
  })
const at = (router: AppRouter) => router.state.location.href
const ARRIVES = { timeout: 15_000 }
const START_VIEW = '/report?project_bidding__in=open&ordering=submission_end_date'
const form = () => screen.findByRole('heading', { name: 'เข้าสู่ระบบ' }, ARRIVES)

describe('entering the product', () => {
  test('every screen has a route, and every route a screen', () => {
    const router = createAppRouter(createMemoryHistory())
    // Routes whose paths end in `$` are fallbacks of other routes.
    const paths = Object.keys(router.routesByPath)
      .filter((path) => !path.endsWith('/$'))
      .map((path) => path.replace(/\$(\w+)/g, '{$1}'))
    expect(new Set(paths)).toEqual(new Set(APP_SCREENS.map(({ path }) => path)))
  })

  test('/ redirects to /login', async () => {
    const router = start('/')
    await form()
    expect(at(router)).toBe('/login')
    expect(document.title).toBe('เข้าสู่ระบบ · ตามงาน')
  })

  test('an undecodable address shows the not-found page', async () => {
    signIn()
    start('/companies/%E0%A4%A')
    expect(await screen.findByRole('heading', { name: 'ไม่พบหน้านี้' }, ARRIVES)).toBeInTheDocument()
  })

  test('a raw ## in a typed address is part of the search, at start and later', async () => {
    window.history.replaceState(null, '', '/login?redirect=/report?project_name__in=กล้อง##วงจรปิด')
    const router = createAppRouter()
    stop = startHandlingSessionEnd(router)
    render(<App router={router} />)
    await form()
    expect(router.state.location.search).toEqual({ redirect: '/report?project_name__in=กล้อง##วงจรปิด' })
    // Editing the address bar of an open page changes only the fragment.
    window.location.hash = '##IP'
    const longer = { redirect: '/report?project_name__in=กล้อง##วงจรปิด##IP' }
    await waitFor(() => expect(router.state.location.search).toEqual(longer), ARRIVES)
    expect(window.location.hash).toBe('')
    router.history.destroy()
    window.history.replaceState(null, '', '/')
  })

  test('a shared link goes to /login and, after login, to exactly the same address', async () => {
    const link =
      '/report?project_name__in=%E0%B8%81%E0%B8%A5%E0%B9%89%E0%B8%AD%E0%B8%87%23%23CCTV&project_id__in=00119284417&utm=x'
    const router = start(link)
    await form()
    expect(router.state.location.search).toEqual({ redirect: link })
    const person = userEvent.setup()
    await person.type(screen.getByLabelText('อีเมล'), ' pim@example.co.th ')
    await person.type(screen.getByLabelText('รหัสผ่าน'), 'secret')
    await person.click(screen.getByRole('button', { name: 'เข้าสู่ระบบ' }))
    await waitFor(() => expect(at(router)).toBe(link), ARRIVES)
    expect(requests[0]).toEqual({ path: 'auth/login/', body: { email: 'pim@example.co.th', password: 'secret' } })
    expect(getCurrentSession()).toMatchObject({ refresh: 'r1', isDemo: false })
    expect(document.title).toBe('รายงานโครงการ · ตามงาน')
  })

  test('signed-in users are redirected away from /login', async () => {
    signIn()
    const router = start('/login')
    await waitFor(() => expect(at(router)).toBe(START_VIEW), ARRIVES)
  })

  test('an unknown path shows the not-found page in the app layout when signed in', async () => {
    signIn()
    start('/nowhere')
    expect(await screen.findByRole('heading', { name: 'ไม่พบหน้านี้' }, ARRIVES)).toBeInTheDocument()
    expect(screen.getByRole('banner')).toHaveTextContent('รายงานโครงการ')
    expect(document.title).toBe('ไม่พบหน้านี้ · ตามงาน')
  })

  test('an unknown path shows a plain not-found page when signed out', async () => {
    start('/nowhere')
    expect(await screen.findByRole('link', { name: 'ไปหน้าเข้าสู่ระบบ' }, ARRIVES)).toBeInTheDocument()
    expect(screen.queryByRole('banner')).toBeNull()
  })

  test('an account that fails to load is reported, and can be retried', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    answers['users/me'] = () => Response.json({ code: 'bad_input', non_field_errors: ['ทดสอบ'] }, { status: 400 })
    signIn()
    start('/report')
    expect(await screen.findByRole('alert', {}, ARRIVES)).toHaveTextContent('ทดสอบ')
    answers['users/me'] = () => Response.json(user)
    await userEvent.setup().click(screen.getByRole('button', { name: 'ลองใหม่' }))
    expect(await screen.findByRole('banner', {}, ARRIVES)).toBeInTheDocument()
    vi.restoreAllMocks()
  })
})

describe('signing out', () => {
  test('logout calls the server, clears tokens and cache, and goes to /login without a return address', async () => {
    signIn()
    const router = start('/nowhere')
    const person = userEvent.setup()
    await person.click(await screen.findByRole('button', { name: /เมนูผู้ใช้/ }, ARRIVES))
    const leaves = await screen.findByRole('button', { name: 'ออกจากระบบ' }, ARRIVES)
    expect(screen.getByRole('dialog', { name: 'เมนูผู้ใช้' })).toHaveTextContent('พิมพ์ชนก วงศ์สวัสดิ์pim@example.co.th')
    await person.click(leaves)
    await waitFor(() => expect(at(router)).toBe('/login'), ARRIVES)
    expect(requests.filter(({ path }) => path === 'auth/logout/')).toEqual([
      { path: 'auth/logout/', body: { refresh: 'r1' } },
    ])
    expect(getCurrentSession()).toBeUndefined()
    expect(queryClient.getQueryCache().getAll()).toEqual([])
  })

  test('ten 401s cause one logout and one redirect to /login, with the address kept', async () => {
    signIn()
    const router = start('/nowhere')
    await screen.findByRole('banner', {}, ARRIVES)
    const visited: string[] = []
    router.subscribe('onBeforeNavigate', ({ toLocation }) => visited.push(toLocation.pathname))
    answers.projects = () => Response.json({ code: 'session_invalid' }, { status: 401 })
    answers['auth/logout/'] = () => Response.json({}, { status: 401 })
    vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    await Promise.all(Array.from({ length: 10 }, () => sendApiRequest('projects').catch(() => undefined)))
    await waitFor(() => expect(at(router)).toBe('/login?redirect=%2Fnowhere'), ARRIVES)
    expect(requests.filter(({ path }) => path === 'auth/logout/')).toHaveLength(1)
    expect(visited).toEqual(['/login'])
    vi.restoreAllMocks()
  })

  test('logout in another tab signs out here too', async () => {
    signIn()
    const router = start('/nowhere')
    await screen.findByRole('banner', {}, ARRIVES)
    localStorage.clear()
    window.dispatchEvent(new StorageEvent('storage', { key: 'tamngan.session' }))
    await waitFor(() => expect(at(router)).toBe('/login'), ARRIVES)
    expect(queryClient.getQueryCache().getAll()).toEqual([])
  })

  test('Back to a page restored from bfcache after a logout elsewhere signs out too', async () => {
    signIn()
    const router = start('/nowhere')
    await screen.findByRole('banner', {}, ARRIVES)
    localStorage.clear()
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
    await waitFor(() => expect(at(router)).toBe('/login'), ARRIVES)
    expect(queryClient.getQueryCache().getAll()).toEqual([])
  })

  test('another user in another tab empties the cache and is shown here', async () => {
    signIn()
    start('/nowhere')
    await screen.findByRole('button', { name: /พิมพ์ชนก/ }, ARRIVES)
    answers['users/me'] = () => Response.json({ ...user, first_name: 'สมชาย' })
    localStorage.setItem(
      'tamngan.session',
      JSON.stringify({ access: tokenOf('2'), isDemo: false, receivedAtMs: 0, expiresAtMs: Date.now() + 60_000 }),
    )
    window.dispatchEvent(new StorageEvent('storage', { key: 'tamngan.session' }))
    expect(await screen.findByRole('button', { name: /สมชาย/ }, ARRIVES)).toBeInTheDocument()
  })

  test('signs out when the token expires', async () => {
    startSession({ access: tokenOf('1'), isDemo: false, receivedAtMs: Date.now(), expiresAtMs: Date.now() + 1500 })
    const router = start('/nowhere')
    await waitFor(() => expect(at(router)).toBe('/login?redirect=%2Fnowhere'), ARRIVES)
  })
})

describe('the login form', () => {
  test('reports missing fields in Thai without calling the server', async () => {
    start('/login')
    await form()
    const person = userEvent.setup()
    await person.click(screen.getByRole('button', { name: 'เข้าสู่ระบบ' }))
    expect(await screen.findByText('กรอกอีเมล')).toBeInTheDocument()
    expect(screen.getByLabelText('อีเมล')).toHaveAccessibleDescription('กรอกอีเมล')
    expect(screen.getByLabelText('อีเมล')).toHaveFocus()
    await person.type(screen.getByLabelText('อีเมล'), 'pim@')
    expect(await screen.findByText(/รูปแบบอีเมลไม่ถูกต้อง/)).toBeInTheDocument()
    expect(requests).toEqual([])
  })

  test('keeps the input when the server refuses, and focuses the reason', async () => {
    answers['auth/login/'] = () =>
      Response.json({ code: 'login_failed', non_field_errors: ['อีเมลหรือรหัสผ่านไม่ถูกต้อง'] }, { status: 400 })
    const router = start('/login')
    await form()
    const person = userEvent.setup()
    await person.type(screen.getByLabelText('อีเมล'), 'pim@example.co.th')
    await person.type(screen.getByLabelText('รหัสผ่าน'), 'wrong{Enter}')
    const notice = await screen.findByRole('alert')
    expect(notice).toHaveTextContent('อีเมลหรือรหัสผ่านไม่ถูกต้อง')
    expect(notice).toHaveFocus()
    expect(screen.getByLabelText('รหัสผ่าน')).toHaveValue('wrong')
    expect(at(router)).toBe('/login')
  })

  test('shows the password on request and warns of a Thai keyboard', async () => {
    start('/login')
    await form()
    const person = userEvent.setup()
    const password = screen.getByLabelText('รหัสผ่าน')
    await person.type(password, 'ก')
    expect(await screen.findByText('แป้นพิมพ์เป็นภาษาไทยอยู่')).toBeInTheDocument()
    await person.type(password, 'a')
    expect(screen.queryByText('แป้นพิมพ์เป็นภาษาไทยอยู่')).toBeNull()
    await person.click(screen.getByRole('button', { name: 'แสดงรหัสผ่าน' }))
    expect(password).toHaveAttribute('type', 'text')
  })
})

describe('the demo link', () => {
  test('signs in with the key, stores only the access token and removes the key from the address', async () => {
    const router = start('/login?refkey=demo')
    await waitFor(() => expect(at(router)).toBe(START_VIEW), ARRIVES)
    expect(requests.filter(({ path }) => path === 'auth/auto-login/')).toEqual([
      { path: 'auth/auto-login/', body: { refkey: 'demo' } },
    ])
    const session = getCurrentSession()
    expect(session).toMatchObject({ isDemo: true })
    expect(session).not.toHaveProperty('refresh')
    expect(router.history.length).toBe(1)
  })

  test('R22: does not replace a real session without confirmation', async () => {
    signIn()
    const router = start('/login?refkey=demo')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'ใช้บัญชีเดิมต่อ' }, ARRIVES))
    await waitFor(() => expect(at(router)).toBe(START_VIEW), ARRIVES)
    expect(requests.some(({ path }) => path === 'auth/auto-login/')).toBe(false)
    expect(getCurrentSession()?.isDemo).toBe(false)
  })

  test('explains a refusal and leads to the form', async () => {
    answers['auth/auto-login/'] = () =>
      Response.json({ code: 'refkey_unknown', non_field_errors: ['ลิงก์เข้าใช้งานนี้ใช้ไม่ได้แล้ว'] }, { status: 400 })
    const router = start('/login?refkey=old')
    expect(await screen.findByRole('alert', {}, ARRIVES)).toHaveTextContent('ลิงก์เข้าใช้งานนี้ใช้ไม่ได้แล้ว')
    await userEvent.setup().click(screen.getByRole('button', { name: 'ไปหน้าเข้าสู่ระบบ' }))
    await form()
    expect(at(router)).toBe('/login')
  })

  test('shows the banner and hides logout', async () => {
    answers['organisations/me'] = () => Response.json({ ...organisation, code: 'demo' })
    signIn()
    start('/nowhere')
    expect(await screen.findByRole('note', {}, ARRIVES)).toHaveTextContent('ทดลองใช้เต็มรูปแบบฟรี')
    await userEvent.setup().click(screen.getByRole('button', { name: /เมนูผู้ใช้/ }))
    expect(await screen.findByRole('radio', { name: 'มืด' }, ARRIVES)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'ออกจากระบบ' })).toBeNull()
  })
})
