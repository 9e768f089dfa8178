import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createMemoryHistory } from '@tanstack/react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ATTACHMENTS_COUNTED } from '#contract/report/report.ts'
import { startAddress } from '#contract/report/start-view.ts'
import { startNetwork, stopNetwork } from '#src/api/http/network-for-tests.ts'
import { printSearchText } from '#src/lib/search-text.ts'
import { currentSession, endSession, startSession } from '#src/lib/session-store.ts'
import { organisationForTests } from '#src/matching/api/organisation-for-tests.ts'
import { sessionForTests, userForTests } from '#src/report/api/user-api-for-tests.ts'
import { enterByLink, takeRefusal } from '#src/shell/session/demo-link.ts'
import { reportRow } from '../../test/report-row.ts'
import { createAppRouter, startFirstScreen } from './router.ts'

const script = readFileSync(path.join(import.meta.dirname, '../../public/theme.js'), 'utf8')
let network: ReturnType<typeof startNetwork>
const askedAhead = () => Object.keys(window.earlyAnswers ?? {})

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
    `/report${printSearchText(startAddress({ project_save_filter_profile: [] }))}`,
    [
      'projects?project_bidding__in=open&ordering=submission_end_date',
      'users/me',
      'organisations/me',
      'projects/facets?project_bidding__in=open',
    ],
  ],
])('what the page of %s asks ahead is what its screen asks, and is asked once', async (address, ahead) => {
  openPage(address)
  expect(askedAhead()).toEqual(ahead)
  startScreen()
  const left = () => Object.values(window.earlyAnswers!).filter(Boolean)
  await vi.waitFor(() => expect(left()).toEqual([]), { timeout: 10_000 })
  for (const path of ahead) expect(network.to(path.split('?')[0]!)).toHaveLength(1)
})

test('the rows that the page asks ahead count their files, as those that the report asks for itself', async () => {
  openPage('/report')
  openPage('/report?page=2')
  startScreen()
  await vi.waitFor(() => expect(network.to('projects')).toHaveLength(2), { timeout: 10_000 })
  expect(network.to('projects').map(({ prefers }) => prefers)).toEqual([ATTACHMENTS_COUNTED, ATTACHMENTS_COUNTED])
})

test.each(['/login', '/register', '/contact'])('%s asks nothing ahead', (address) => {
  openPage(address)
  expect(askedAhead()).toEqual([])
})

test('a filtered report asks the account alone ahead, and nobody anything without a session', () => {
  openPage('/report?project_name__in=x')
  expect(askedAhead()).toEqual(['users/me', 'organisations/me'])
  endSession('logout')
  window.earlyAnswers = undefined
  openPage('/report')
  expect(askedAhead()).toEqual([])
})

test('what comes after /login is fetched once the page and its code are there', () => {
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

test('a phone is asked for the code of the report behind the frame of the first names; at once where none are on their way', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(0)
  const [code, other] = [nameCode(), nameCode()]
  openPage('/report')
  parsed()
  await vi.waitFor(() => expect(network.to('projects')).toHaveLength(1))
  expect(code.rel).toBe('')
  network.to('projects')[0]!.answer({ results: [] })
  await vi.waitFor(() => expect([code.rel, other.rel]).toEqual(['modulepreload', 'modulepreload']))
  code.remove()
  other.remove()

  const next = nameCode()
  openPage('/watch')
  parsed()
  expect(next.rel).toBe('modulepreload')
  next.remove()
})

test('the code waits for slow names no longer than half a second after the visit began', () => {
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

test('the first names and buyers stand in the shape of the report before its code is there, and the code still gets the rows', async () => {
  drawShape()
  openPage('/report')
  const row = reportRow({ name: 'จ้าง<b>ก่อสร้าง</b>', dept_sub_name: 'เทศบาลเมืองพล', project_province: 'ขอนแก่น' })
  await vi.waitFor(() => expect(network.to('projects')).toHaveLength(1))
  network.to('projects')[0]!.answer({ results: [row] })
  await vi.waitFor(() => expect(shapeTexts()).toEqual(['จ้าง<b>ก่อสร้าง</b>เทศบาลเมืองพล · ขอนแก่น', '……']))
  const taken = await window.earlyAnswers!.projects!.answer
  expect(await taken.json()).toMatchObject({ results: [{ name: row.name }] })
})

test('a refusal leaves the shape as it is', async () => {
  drawShape()
  openPage('/report')
  await vi.waitFor(() => expect(network.to('projects')).toHaveLength(1))
  network.to('projects')[0]!.answer({ results: [{ name: 'x' }] }, 401)
  await window.earlyAnswers!.projects!.answer
  await new Promise((resolve) => setTimeout(resolve))
  expect(shapeTexts()).toEqual(['……', '……'])
})

test('an answer to another bearer is not taken', async () => {
  openPage('/watch')
  startSession(sessionForTests('2'))
  startScreen()
  await vi.waitFor(() => expect(network.to('users/me')).toHaveLength(2), { timeout: 10_000 })
})

test('an old answer is not taken', async () => {
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

test('the demo’s link becomes the address of the report before anything is drawn, and the key leaves it', async () => {
  endSession('logout')
  stopNetwork()
  network = startNetwork(demoAnswers)
  window.history.replaceState(null, '', '/login?refkey=demo')
  await enterByLink()
  expect(window.location.pathname).toBe('/report')
  expect(window.location.search).not.toContain('refkey')
  expect(currentSession()?.isDemo).toBe(true)
  expect(network.to('auth/auto-login/')).toHaveLength(1)
})

test('the demo’s link enters once, and asks its report, before the code is there', async () => {
  endSession('logout')
  stopNetwork()
  network = startNetwork(demoAnswers)
  openPage('/login?refkey=demo')
  await vi.waitFor(() => expect(network.to('projects/facets')).toHaveLength(1))
  await enterByLink()
  expect(network.to('auth/auto-login/').map(({ body }) => body)).toEqual([{ refkey: 'demo' }])
  startScreen()
  await vi.waitFor(() => expect(Object.values(window.earlyAnswers!).filter(Boolean)).toEqual([]), { timeout: 10_000 })
  for (const path of ['users/me', 'organisations/me', 'projects', 'projects/facets'])
    expect(network.to(path)).toHaveLength(1)
})

test('a real session, or a cookie that is the credential, keeps the link of the demo for the code', () => {
  openPage('/login?refkey=demo')
  expect(askedAhead()).toEqual([])
  endSession('logout')
  document.cookie = 'XSRF-TOKEN=x'
  openPage('/login?refkey=demo')
  expect(askedAhead()).toEqual([])
  document.cookie = 'XSRF-TOKEN=; max-age=0'
})

test('a refused link stays for the screen that says why, which does not send it again', async () => {
  endSession('logout')
  window.history.replaceState(null, '', '/login?refkey=wrong')
  const done = enterByLink()
  await vi.waitFor(() => expect(network.to('auth/auto-login/')).toHaveLength(1), { timeout: 10_000 })
  network.to('auth/auto-login/')[0]!.answer({ non_field_errors: ['ลิงก์ไม่ถูกต้อง'] }, 400)
  await done
  expect(window.location.search).toBe('?refkey=wrong')
  expect(takeRefusal()?.error).toBeInstanceOf(Error)
  expect(takeRefusal()).toBeUndefined()
})

test('R22: a real session is not replaced without a question', async () => {
  window.history.replaceState(null, '', '/login?refkey=demo')
  await enterByLink()
  expect(network.asked).toEqual([])
  expect(window.location.pathname).toBe('/login')
})
