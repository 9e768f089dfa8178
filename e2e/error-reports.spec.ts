import { type Browser, expect, type Page, test } from '@playwright/test'
import { createSecurityHeaders } from '#server/http/security-headers.ts'
import { insertPageSettings } from '#server/http/serve-client-files.ts'
import { type ErrorSink, startErrorSink } from './error-sink.ts'
import { enterDemo, MANAGER, PASSWORD } from './sign-in.ts'

const WORD = 'เครื่องกรองอากาศลับ'
const REFKEY = 'refkey-that-nobody-may-read'
const RESET_TOKEN = 'Zm9yZ290dGVuLXBhc3N3b3JkLXRva2Vu'

test('sends nothing and does not load the tracker without SENTRY_DSN', async ({ page }) => {
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await enterDemo(page)
  const idle = page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })))
  await idle
  await page.evaluate(() => void Promise.reject(new Error('nobody is told')))
  // If the error tracker were loaded, it would send the error within this time.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 5000 })))
  expect(urls.length).toBeGreaterThan(10)
  expect(urls.filter((url) => new URL(url).origin !== new URL(page.url()).origin)).toEqual([])
  expect(urls.filter((url) => /sentry/i.test(url))).toEqual([])
})

/**
 * Opens a page that the running server serves as it does with SENTRY_DSN, by the same two functions. `Math.random`
 * always returns `dice`.
 */
async function openPage(browser: Browser, sink: ErrorSink, dice: number): Promise<Page> {
  // A fulfilled response has no IP address, so reaching a tracker on this machine needs this permission.
  const page = await (await browser.newContext({ permissions: ['local-network-access'] })).newPage()
  await page.addInitScript((value) => {
    Math.random = () => value
  }, dice)
  await page.route(
    ({ pathname }) => !/^\/(api|assets)\//.test(pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const headers = { ...response.headers(), ...createSecurityHeaders({ sentryDsn: sink.dsn }) }
      await route.fulfill({
        response,
        headers,
        body: insertPageSettings(await response.text(), { sentryDsn: sink.dsn }),
      })
    },
  )
  return page
}

function messagesIn(sink: ErrorSink): string[] {
  return sink.reported('event').flatMap(({ documents: [event] }) => {
    const { values = [] } = (event!.exception ?? {}) as { values?: { value: string }[] }
    return [...values.map(({ value }) => value), ...(event!.message ? [String(event!.message)] : [])]
  })
}

test('reports an error with trace and replay, without any secret (R60)', async ({ browser }) => {
  // A random number above 0.1 means that the session is recorded only when an error occurs.
  const sink = await startErrorSink()
  const page = await openPage(browser, sink, 0.5)
  await page.goto(`/reset-password/${RESET_TOKEN}`)
  await expect.poll(() => pageloads(sink), { timeout: 30_000 }).toContain('/reset-password/[hidden]')
  await page.goto(`/login?refkey=${REFKEY}`)
  await page.getByRole('alert').first().waitFor()
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill(MANAGER)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill('Wrong#Password9')
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(page.getByText('อีเมลหรือรหัสผ่านไม่ถูกต้อง')).toBeVisible()
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await page.waitForURL((url) => url.pathname !== '/login')
  await page.goto(`/report?project_name__in=${encodeURIComponent(WORD)}`)
  await expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()
  await page
    .getByRole('button', { name: new RegExp(WORD) })
    .first()
    .click()
  expect(sink.reported('replay_event')).toEqual([])

  // A failed response is reported only after the tracker has loaded; errors are buffered until then.
  await page.waitForFunction(() => '__SENTRY__' in window)
  await page.route('**/api/v2/users/me/pulse', (route) =>
    route.fulfill({ status: 500, headers: { 'x-request-id': 'req-of-the-log' }, json: { code: 'internal' } }),
  )
  await page.evaluate(
    ([mail, word]) => {
      console.warn(`search for ${mail} at /report?project_name__in=${word}`)
      setTimeout(() => {
        throw new Error(`handler failed for ${mail}`)
      })
      setTimeout(() => void Promise.reject(new Error(`promise failed at /report?project_name__in=${word}`)))
      setTimeout(() => void import(/* @vite-ignore */ `${location.origin}/assets/gone-Abc123.js`))
      void fetch('/api/v2/users/me/pulse')
      void fetch('/api/v2/users/me/nothing-here')
    },
    [MANAGER, WORD] as const,
  )
  await expect
    .poll(() => [...new Set(messagesIn(sink))].sort())
    .toEqual([
      expect.stringMatching(/^Failed to fetch dynamically imported module/),
      'HTTP 500 /api/v2/users/me/pulse',
      'handler failed for [hidden]',
      'promise failed at /report?[hidden]',
    ])
  const [failed] = sink.reported('event').filter(({ documents: [event] }) => event!.message !== undefined)
  expect(failed!.documents[0]).toMatchObject({ tags: { request_id: 'req-of-the-log' } })
  for (const { documents } of sink.reported('event')) {
    expect(documents[0]).toMatchObject({ environment: 'production' })
    expect(documents[0]!.release).toMatch(/^tamngan@\d+\.\d+\.\d+\+[\w-]{8}$/)
    expect(documents[0]).not.toHaveProperty('user')
  }
  await expect.poll(() => sink.reported('replay_event').length, { timeout: 20_000 }).toBeGreaterThan(0)
  const [replay] = sink.reported('replay_event')
  expect(replay!.documents[0]).toMatchObject({ replay_type: 'buffer' })
  expect(sink.reported('replay_recording')[0]!.documents[1]).not.toHaveLength(0)

  const traces = sink.envelopes.map((envelope) => JSON.parse(envelope.split('\n', 1)[0]!).trace).filter(Boolean)
  expect(new Set(traces.map(({ sample_rate }) => sample_rate))).toEqual(new Set(['1']))
  expect(new Set(traces.map(({ sampled }) => sampled))).toEqual(new Set(['true']))

  const tokens = await page.evaluate(() => Object.values(localStorage).join(' '))
  const jwts = tokens.match(/(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]+/g) ?? []
  expect(jwts.length).toBeGreaterThan(0)
  const { refresh } = JSON.parse(await page.evaluate(() => localStorage.getItem('tamngan.session') ?? '{}'))
  expect(refresh.length).toBeGreaterThan(20)
  const secrets = [...jwts.flatMap((jwt) => jwt.split('.')), refresh, MANAGER, PASSWORD, 'Wrong#Password9', WORD]
  const all = sink.envelopes.join('\n')
  const leaked = [...secrets, REFKEY, RESET_TOKEN, 'tharamek'].filter(
    (secret) => all.includes(secret) || all.includes(encodeURIComponent(secret)),
  )
  expect(leaked).toEqual([])
  await page.context().close()
  await sink.close()
})

test('replays a tenth of the visits and limits the reports of a failure loop', async ({ browser }) => {
  const sink = await startErrorSink()
  const page = await openPage(browser, sink, 0.05)
  await page.goto('/login')
  const replays = () =>
    sink.reported('replay_event').filter(({ documents: [replay] }) => replay!.replay_type === 'session')
  await expect.poll(() => replays().length, { timeout: 20_000 }).toBeGreaterThan(0)
  await page.evaluate(() => {
    for (let turn = 0; turn < 500; turn += 1)
      setTimeout(() => {
        throw new Error(`loop ${turn % 2}`)
      })
  })
  await expect.poll(() => messagesIn(sink).filter((message) => message.startsWith('loop')).length).toBe(6)
  await page.goto('about:blank')
  expect(messagesIn(sink).filter((message) => message.startsWith('loop'))).toHaveLength(6)
  expect(sink.envelopes.length).toBeLessThan(40)
  await page.context().close()
  await sink.close()
})

function pageloads(sink: ErrorSink): string[] {
  return sink
    .reported('span')
    .flatMap(({ documents: [batch] }) =>
      (batch!.items as { name: string; is_segment: boolean }[])
        .filter(({ is_segment }) => is_segment)
        .map(({ name }) => name),
    )
}
