import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { startDeployment } from './deployment.ts'
import { loaded } from './page-facts.ts'
import { ownServer } from './servers.ts'
import { logIn, MANAGER, SALES } from './sign-in.ts'

/** What jsdom cannot promise: the worker, the storage of the browser, a page without a network. */
test.use({ serviceWorkers: 'allow', hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

const heading = (page: Page, name = 'รายงานโครงการ') => page.getByRole('heading', { level: 1, name })

/** The worker has the page and the code of the build. */
async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
}

type Kept = { readonly owner: string; readonly json: string; readonly kind: string }

/** Everything that a database of the product holds on this device; undefined when there is none. */
function keptIn(page: Page, name: string): Promise<readonly Kept[]> {
  return page.evaluate(async (wanted) => {
    const all = await indexedDB.databases()
    if (!all.some((one) => one.name === wanted)) return []
    return await new Promise<readonly Kept[]>((resolve, reject) => {
      const asked = indexedDB.open(wanted)
      asked.onerror = () => reject(asked.error)
      asked.onsuccess = () => {
        const database = asked.result
        database.onversionchange = () => database.close()
        if (!database.objectStoreNames.contains('kept')) return resolve([])
        const rows = database.transaction('kept').objectStore('kept').getAll()
        rows.onsuccess = () => {
          database.close()
          resolve(rows.result as readonly Kept[])
        }
      }
    })
  }, name)
}

const answers = (page: Page) => keptIn(page, 'tamngan.answers')
const keptKinds = async (page: Page) => new Set((await answers(page)).map(({ kind }) => kind))

async function lift(context: BrowserContext): Promise<void> {
  await context.setOffline(true)
}

test('R75: without a network the app starts, shows report, starred project, board and queue, and sends two stars once when it is back', async ({
  page,
  context,
}) => {
  await logIn(page, MANAGER)
  await page.goto('/report')
  await installed(page)
  const cards = page.getByRole('article')
  await expect(cards.first()).toBeVisible()
  // What was asked ahead on a phone: the board, the queue, pages of projects.
  await expect
    .poll(async () => [...(await keptKinds(page))].sort(), { timeout: 60_000 })
    .toEqual(expect.arrayContaining(['account', 'board', 'page', 'project', 'queue', 'queue rows']))
  const names = await cards.getByRole('heading').allInnerTexts()

  await lift(context)
  await page.reload()
  await expect(heading(page)).toBeVisible()
  await expect(cards.getByRole('heading').first()).toHaveText(names[0]!)
  await expect(page.getByText(/ข้อมูลเมื่อ .{0,30}\d\d:\d\d น\./)).toBeVisible()

  // Two stars, made in the lift; the tab is closed there.
  const stars = page.getByRole('button', { name: /^ติดดาว/ })
  await stars.first().click()
  await stars.first().click()
  await expect(page.getByText('รอส่ง 2 รายการ')).toBeVisible()
  await expect.poll(async () => (await keptIn(page, 'tamngan.changes')).length).toBe(2)
  await page.close()

  const again = await context.newPage()
  await again.goto('/report')
  await expect(heading(again)).toBeVisible()
  await expect(again.getByText('รอส่ง 2 รายการ')).toBeVisible()

  const sent: string[] = []
  context.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.headers()['idempotency-key'] ?? '')
  })
  await context.setOffline(false)
  await expect(again.getByText('รอส่ง 2 รายการ')).toBeHidden({ timeout: 60_000 })
  expect(new Set(sent).size).toBe(2)
  expect(sent).not.toContain('')
  await expect.poll(async () => (await keptIn(again, 'tamngan.changes')).length).toBe(0)
})

test('R73, R74: logging out leaves nothing on the device, and the next person finds only their own', async ({
  page,
  context,
}) => {
  await logIn(page, MANAGER)
  await installed(page)
  await expect.poll(() => keptKinds(page), { timeout: 60_000 }).toContain('account')
  const [mine] = await answers(page)
  await page.getByRole('button', { name: 'เมนู', exact: true }).click()
  await page.getByRole('button', { name: 'ออกจากระบบ' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(async () => (await answers(page)).length).toBe(0)
  // Without a network and without a session there is the login, not somebody's report.
  await context.setOffline(true)
  await page.goto('/report')
  await expect(page.getByRole('button', { name: 'เข้าสู่ระบบ' })).toBeVisible()
  await context.setOffline(false)

  await logIn(page, SALES)
  await expect.poll(() => keptKinds(page), { timeout: 60_000 }).toContain('account')
  const theirs = await answers(page)
  expect(new Set(theirs.map(({ owner }) => owner)).size).toBe(1)
  expect(theirs[0]!.owner).not.toBe(mine!.owner)
  expect(theirs.map(({ json }) => json).join()).not.toContain(MANAGER)
  // What the worker keeps is the same for everybody: pages without data and files of the build.
  const cached = await page.evaluate(async () => {
    const found: { url: string; text: string }[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const isPage = /\/(report|board)$/.test(request.url)
        found.push({ url: request.url, text: isPage ? await (await cache.match(request))!.text() : '' })
      }
    }
    return found
  })
  expect(cached.length).toBeGreaterThan(100)
  for (const { url, text } of cached) {
    expect(url).not.toContain('/api/')
    // The sample names its accounts to every visitor.
    expect(text.replace(/<meta name="sample-login"[^<>]{0,9000}>/, '')).not.toMatch(/tharamek|eyJ/)
  }
})

test('on a phone a session sleeps without a network and is renewed with it; with one it ends as ever', async ({
  page,
  context,
}) => {
  await logIn(page, MANAGER)
  await page.goto('/report')
  await installed(page)
  await expect.poll(() => keptKinds(page), { timeout: 60_000 }).toContain('page')
  const expire = (on: Page) =>
    on.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('tamngan.session')!) as object
      localStorage.setItem('tamngan.session', JSON.stringify({ ...session, expiresAtMs: Date.now() - 1000 }))
    })
  await context.setOffline(true)
  await expire(page)
  await page.reload()
  await expect(heading(page)).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('กลับมาเชื่อมต่อแล้ว ข้อมูลเป็นปัจจุบัน')).toBeVisible({ timeout: 60_000 })
  await expect(heading(page)).toBeVisible()
  const lives = () =>
    page.evaluate(
      () => JSON.parse(localStorage.getItem('tamngan.session') ?? '{"expiresAtMs":0}').expiresAtMs > Date.now(),
    )
  await expect.poll(lives).toBe(true)

  await expire(page)
  await page.reload()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(async () => (await answers(page)).length).toBe(0)
})

test('an old page over a new build: its screens still open, and it changes when somebody presses "update"', async ({
  page,
}) => {
  // A build is fetched twice, file by file.
  test.setTimeout(300_000)
  const deployment = await startDeployment(ownServer().url)
  try {
    await logIn(page, MANAGER, `${deployment.url}/login`)
    await installed(page)
    // The page's own script says of which build it is.
    const entry = page.locator('script[type="module"]')
    const before = (await entry.getAttribute('src'))!
    deployment.deploy()
    // Code that this page has not loaded yet, and that the server has no longer.
    await page.getByRole('button', { name: 'เมนู', exact: true }).click()
    await page.getByRole('link', { name: 'ปฏิทิน' }).click()
    await expect(heading(page, 'ปฏิทิน')).toBeVisible()
    await expect(entry).toHaveAttribute('src', before)

    await page.evaluate(async () => {
      await (await navigator.serviceWorker.getRegistration())!.update()
    })
    await expect(page.getByText('มีเวอร์ชันใหม่')).toBeVisible({ timeout: 120_000 })
    // Offered, not forced.
    await expect(entry).toHaveAttribute('src', before)
    await page.getByRole('button', { name: 'อัปเดต' }).click()
    await expect(entry).not.toHaveAttribute('src', before, { timeout: 60_000 })
    await expect(heading(page, 'ปฏิทิน')).toBeVisible()
    await expect(page.getByText('มีเวอร์ชันใหม่')).toBeHidden()
  } finally {
    await deployment.close()
  }
})

test('a screen that nothing is stored of says so without a network instead of loading for ever, and loads when it is back', async ({
  page,
  context,
}) => {
  await logIn(page, MANAGER)
  await installed(page)
  await context.setOffline(true)
  await expect(page.getByText('ออฟไลน์ ดูข้อมูลเดิมได้', { exact: true })).toBeVisible()
  const missing = page.getByText('ส่วนนี้ยังไม่มีข้อมูลเดิมเก็บไว้ในเครื่อง จะโหลดให้เองเมื่อเชื่อมต่อได้อีกครั้ง')
  for (const name of ['ข้อมูลบริษัท', 'สรุปผล', 'ปฏิทิน', 'งบประมาณประจำปี']) {
    await page.getByRole('button', { name: 'เมนู', exact: true }).click()
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect(missing.first(), name).toBeVisible()
    await loaded(page)
  }
  await context.setOffline(false)
  await expect(missing).toHaveCount(0, { timeout: 60_000 })
  await loaded(page)
})

test('Chromium may install it, and a shared link opens its project', async ({ page, context }) => {
  await logIn(page, MANAGER)
  await installed(page)
  const chromium = await context.newCDPSession(page)
  const { installabilityErrors } = await chromium.send('Page.getInstallabilityErrors')
  // A test runs in a window that keeps nothing, where browsers install nothing.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  const { errors, data } = await chromium.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(JSON.parse(data!)).toMatchObject({ id: '/report', share_target: { action: '/share' } })

  const shared = new URLSearchParams({
    title: 'e-GP',
    text: 'https://process5.gprocurement.go.th/egp?projectId=69118000001',
  })
  await page.goto(`/share?${shared}`)
  await expect(page).toHaveURL(/\/report\/69118000001$/)
})
