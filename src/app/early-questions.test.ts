import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createMemoryHistory } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { PREFER_ATTACHMENT_COUNTS } from '#contract/report/report.ts'
import { startSearchParams } from '#contract/report/start-view.ts'
import { startNetwork, stopNetwork } from '#src/api/http/network-for-tests.ts'
import { formatSearchText } from '#src/lib/search-text.ts'
import { currentSession, endSession, startSession } from '#src/lib/session-store.ts'
import { organisationForTests } from '#src/matching/api/organisation-for-tests.ts'
import { sessionForTests, userForTests } from '#src/report/api/user-api-for-tests.ts'
import { enterDemoByLink, takeDemoRefusal } from '#src/shell/session/demo-link.ts'
import { reportRow } from '../../test/report-row.ts'
import { createAppRouter, startFirstScreen } from './router.ts'

const script = readFileSync(path.join(import.meta.dirname, '../../public/theme.js'), 'utf8')
let network: ReturnType<typeof startNetwork>
const prefetchedKeys = () => Object.keys(window.earlyAnswers ?? {})

/** Simulates the page before any code has loaded: the address and the inline head script. */
function openPage(address: string): void {
  window.history.replaceState(null, '', address)
  new Function(script)()
}

function startScreen(): void {
  const { pathname, search } = window.location
  const router = createAppRouter(createMemoryHistory({ initialEntries: [pathname + search] }))
  for (const { options } of Object.values(router.routesById)) {
    const component = options.component as { preload?: () => Promise<void> } | undefined
    if (component?.preload) vi.spyOn(component, 'preload').mockReturnValue(new Promise(() => undefined))
  }
  void startFirstScreen(router)
  void router.load()
}

beforeEach(() => {
  startSession(sessionForTests('1'))
  network = startNetwork()
})
afterEach(() => {
  stopNetwork()
  endSession('logout')
  window.earlyAnswers = undefined
  document.body.innerHTML = ''
  vi.restoreAllMocks()
  window.history.replaceState(null, '', '/')
})

test.each([
  ['/report', ['projects', 'users/me', 'organisations/me', 'projects/facets']],
  ['/watch', ['users/me', 'organisations/me']],
  [
    `/report${formatSearchText(startSearchParams({ project_save_filter_profile: [] }))}`,
    [
      'projects?project_bidding__in=open&ordering=submission_end_date',
      'users/me',
      'organisations/me',
      'projects/facets?project_bidding__in=open',
    ],
  ],
])('the page of %s preloads exactly what its screen requests, once', async (address, ahead) => {
  openPage(address)
  expect(prefetchedKeys()).toEqual(ahead)
  startScreen()
  const left = () => Object.values(window.earlyAnswers!).filter(Boolean)
  await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 10_000 })
  for (const path of ahead) expect(network.to(path.split('?')[0]!)).toHaveLength(1)
})

test('preloaded rows count their files, like the report’s own requests', async () => {
  openPage('/report')
  openPage('/report?page=2')
  startScreen()
  await vi.waitFor(() => expect(network.to('projects')).toHaveLength(2), { timeout: 10_000 })
  expect(network.to('projects').map(({ prefers }) => prefers)).toEqual([
    PREFER_ATTACHMENT_COUNTS,
    PREFER_ATTACHMENT_COUNTS,
  ])
})

test.each(['/login', '/register', '/contact'])('%s preloads nothing', (address) => {
  openPage(address)
  expect(prefetchedKeys()).toEqual([])
})

test('a filtered report preloads only the account, and nothing without a session', () => {
  openPage('/report?project_name__in=x')
  expect(prefetchedKeys()).toEqual(['users/me', 'organisations/me'])
  endSession('logout')
  window.earlyAnswers = undefined
  openPage('/report')
  expect(prefetchedKeys()).toEqual([])
})

test('prefetches the code after /login once the page and its code are loaded', () => {
  vi.useFakeTimers()
  const link = Object.assign(document.createElement('link'), { href: '/assets/later.js' })
  link.dataset.later = ''
  document.head.append(link)
  openPage('/login')
  window.dispatchEvent(new Event('load'))
  vi.advanceTimersByTime(1_999)
  expect(link.rel).toBe('')
  vi.advanceTimersByTime(1)
  expect(link.rel).toBe('prefetch')
  link.remove()
  vi.useRealTimers()
})

/** Simulates a page whose code link is marked `data-code`, which delays it behind the first names. */
function nameCode(): HTMLLinkElement {
  const link = Object.assign(document.createElement('link'), { href: '/assets/cards.js' })
  link.dataset.code = ''
  document.head.append(link)
  return link
}
const parsed = () => document.dispatchEvent(new Event('readystatechange'))

test('preloads the report code after the first names on a phone; at once when none are pending', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const [code, otherCode] = [nameCode(), nameCode()]
  openPage('/report')
  parsed()
  await vi.waitFor(() => expect(network.to('projects')).toHaveLength(1))
  expect(code.rel).toBe('')
  network.to('projects')[0]!.answer({ results: [] })
  await vi.waitFor(() => expect([code.rel, otherCode.rel]).toEqual(['modulepreload', 'modulepreload']))
  code.remove()
  otherCode.remove()

  const next = nameCode()
  openPage('/watch')
  parsed()
  expect(next.rel).toBe('modulepreload')
  next.remove()
})

test('waits for slow names at most half a second after the visit began', () => {
  vi.useFakeTimers()
  vi.spyOn(performance, 'now').mockReturnValue(300)
  const code = nameCode()
  openPage('/report')
  parsed()
  vi.advanceTimersByTime(199)
  expect(code.rel).toBe('')
  vi.advanceTimersByTime(1)
  expect(code.rel).toBe('modulepreload')
  code.remove()
  vi.useRealTimers()
})

function drawShape(): void {
  document.body.innerHTML = `<div data-first-paint="account">${'<div data-early-card><b data-early="name">…</b><i data-early="buyer">…</i></div>'.repeat(2)}</div>`
}
const shapeTexts = () => [...document.querySelectorAll('[data-early-card]')].map((card) => card.textContent)

test('shows the first names and buyers in the report skeleton before its code, which still gets the rows', async () => {
  drawShape()
  openPage('/report')
  const row = reportRow({ name: 'จ้าง<b>ก่อสร้าง</b>', dept_sub_name: 'เทศบาลเมืองพล', project_province: 'ขอนแก่น' })
  await vi.waitFor(() => expect(network.to('projects')).toHaveLength(1))
  network.to('projects')[0]!.answer({ results: [row] })
  await vi.waitFor(() => expect(shapeTexts()).toEqual(['จ้าง<b>ก่อสร้าง</b>เทศบาลเมืองพล · ขอนแก่น', '……']))
  const taken = await window.earlyAnswers!.projects!.answer
  expect(await taken.json()).toMatchObject({ results: [{ name: row.name }] })
})

test('a refusal leaves the skeleton unchanged', async () => {
  drawShape()
  openPage('/report')
  await vi.waitFor(() => expect(network.to('projects')).toHaveLength(1))
  network.to('projects')[0]!.answer({ results: [{ name: 'x' }] }, 401)
  await window.earlyAnswers!.projects!.answer
  await new Promise((resolve) => setTimeout(resolve))
  expect(shapeTexts()).toEqual(['……', '……'])
})

test('ignores an answer for another bearer', async () => {
  openPage('/watch')
  startSession(sessionForTests('2'))
  startScreen()
  await vi.waitFor(() => expect(network.to('users/me')).toHaveLength(2), { timeout: 10_000 })
})

test('ignores an outdated answer', async () => {
  openPage('/watch')
  vi.spyOn(performance, 'now').mockReturnValue(20_000)
  startScreen()
  await vi.waitFor(() => expect(network.to('users/me')).toHaveLength(2), { timeout: 10_000 })
})

const demoAnswers = ({ path }: { path: string }) =>
  path === 'auth/auto-login/'
    ? { access: sessionForTests('1').access, refresh: 'r' }
    : path === 'users/me'
      ? userForTests()
      : path === 'organisations/me'
        ? organisationForTests()
        : undefined

test('replaces the demo link by the report address without the key before drawing', async () => {
  endSession('logout')
  stopNetwork()
  network = startNetwork(demoAnswers)
  window.history.replaceState(null, '', '/login?refkey=demo')
  await enterDemoByLink()
  expect(window.location.pathname).toBe('/report')
  expect(window.location.search).not.toContain('refkey')
  expect(currentSession()?.isDemo).toBe(true)
  expect(network.to('auth/auto-login/')).toHaveLength(1)
})

test('the demo link logs in once and requests its report before the code has loaded', async () => {
  endSession('logout')
  stopNetwork()
  network = startNetwork(demoAnswers)
  openPage('/login?refkey=demo')
  await vi.waitFor(() => expect(network.to('projects/facets')).toHaveLength(1))
  await enterDemoByLink()
  expect(network.to('auth/auto-login/').map(({ body }) => body)).toEqual([{ refkey: 'demo' }])
  startScreen()
  await vi.waitFor(() => expect(Object.values(window.earlyAnswers!).filter(Boolean)).toEqual([]), { timeout: 10_000 })
  for (const path of ['users/me', 'organisations/me', 'projects', 'projects/facets'])
    expect(network.to(path)).toHaveLength(1)
})

test('leaves the demo link to the code when there is a real session or cookie credential', () => {
  openPage('/login?refkey=demo')
  expect(prefetchedKeys()).toEqual([])
  endSession('logout')
  document.cookie = 'XSRF-TOKEN=x'
  openPage('/login?refkey=demo')
  expect(prefetchedKeys()).toEqual([])
  document.cookie = 'XSRF-TOKEN=; max-age=0'
})

test('keeps a refused link for the screen that explains it, which does not resend it', async () => {
  endSession('logout')
  window.history.replaceState(null, '', '/login?refkey=wrong')
  const done = enterDemoByLink()
  await vi.waitFor(() => expect(network.to('auth/auto-login/')).toHaveLength(1), { timeout: 10_000 })
  network.to('auth/auto-login/')[0]!.answer({ non_field_errors: ['ลิงก์ไม่ถูกต้อง'] }, 400)
  await done
  expect(window.location.search).toBe('?refkey=wrong')
  expect(takeDemoRefusal()?.error).toBeInstanceOf(Error)
  expect(takeDemoRefusal()).toBeUndefined()
})

test('R22: does not replace a real session without confirmation', async () => {
  window.history.replaceState(null, '', '/login?refkey=demo')
  await enterDemoByLink()
  expect(network.asked).toEqual([])
  expect(window.location.pathname).toBe('/login')
})
