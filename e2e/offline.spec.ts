import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { startDeployment } from './deployment.ts'
import { waitUntilLoaded } from './page-facts.ts'
import { currentServer } from './servers.ts'
import { logIn, MANAGER, SALES } from './sign-in.ts'

/** Covers what jsdom cannot: the worker, browser storage, and a page without a network. */
test.use({ serviceWorkers: 'allow', hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

const heading = (page: Page, name = 'รายงานโครงการ') => page.getByRole('heading', { level: 1, name })

async function installed(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready
  })
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
}

type StoredRow = { readonly owner: string; readonly json: string; readonly kind: string }

/** Returns all rows of a database of the product on this device; undefined without a database. */
function readStore(page: Page, name: string): Promise<readonly StoredRow[]> {
  return page.evaluate(async (databaseName) => {
    const all = await indexedDB.databases()
    if (!all.some((info) => info.name === databaseName)) return []
    return await new Promise<readonly StoredRow[]>((resolve, reject) => {
      const openRequest = indexedDB.open(databaseName)
      openRequest.onerror = () => reject(openRequest.error)
      openRequest.onsuccess = () => {
        const database = openRequest.result
        database.onversionchange = () => database.close()
        if (!database.objectStoreNames.contains('kept')) return resolve([])
        const rows = database.transaction('kept').objectStore('kept').getAll()
        rows.onsuccess = () => {
          database.close()
          resolve(rows.result as readonly StoredRow[])
        }
      }
    })
  }, name)
}

const answers = (page: Page) => readStore(page, 'tamngan.answers')
const storedKinds = async (page: Page) => new Set((await answers(page)).map(({ kind }) => kind))

async function lift(context: BrowserContext): Promise<void> {
  await context.setOffline(true)
}

test('R75: offline the app starts, shows report, starred project, board and queue, and sends two stars once when online again', async ({
  page,
  context,
}) => {
  await logIn(page, MANAGER)
  await page.goto('/report')
  await installed(page)
  const cards = page.getByRole('article')
  await expect(cards.first()).toBeVisible()
  // On a phone the app prefetches the board, the queue and project pages.
  await expect
    .poll(async () => [...(await storedKinds(page))].sort(), { timeout: 60_000 })
    .toEqual(expect.arrayContaining(['account', 'board', 'page', 'project', 'queue', 'queue rows']))
  const names = await cards.getByRole('heading').allInnerTexts()

  await lift(context)
  await page.reload()
  await expect(heading(page)).toBeVisible()
  await expect(cards.getByRole('heading').first()).toHaveText(names[0]!)
  await expect(page.getByText(/ข้อมูลเมื่อ .{0,30}\d\d:\d\d น\./)).toBeVisible()

  const stars = page.getByRole('button', { name: /^ติดดาว/ })
  await stars.first().click()
  await stars.first().click()
  await expect(page.getByText('รอส่ง 2 รายการ')).toBeVisible()
  await expect.poll(async () => (await readStore(page, 'tamngan.changes')).length).toBe(2)
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
  await expect.poll(async () => (await readStore(again, 'tamngan.changes')).length).toBe(0)
})

test('R73, R74: logging out clears the device, and the next user sees only their own data', async ({
  page,
  context,
}) => {
  await logIn(page, MANAGER)
  await installed(page)
  await expect.poll(() => storedKinds(page), { timeout: 60_000 }).toContain('account')
  const [firstAnswer] = await answers(page)
  await page.getByRole('button', { name: 'เมนู', exact: true }).click()
  await page.getByRole('button', { name: 'ออกจากระบบ' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect.poll(async () => (await answers(page)).length).toBe(0)
  await context.setOffline(true)
  await page.goto('/report')
  await expect(page.getByRole('button', { name: 'เข้าสู่ระบบ' })).toBeVisible()
  await context.setOffline(false)

  await logIn(page, SALES)
  await expect.poll(() => storedKinds(page), { timeout: 60_000 }).toContain('account')
  const secondAnswers = await answers(page)
  expect(new Set(secondAnswers.map(({ owner }) => owner)).size).toBe(1)
  expect(secondAnswers[0]!.owner).not.toBe(firstAnswer!.owner)
  expect(secondAnswers.map(({ json }) => json).join()).not.toContain(MANAGER)
  // The service worker caches the same files for every user: pages without data, and build files.
  const cached = await page.evaluate(async () => {
    const entries: { url: string; text: string }[] = []
    for (const name of await caches.keys()) {
      const cache = await caches.open(name)
      for (const request of await cache.keys()) {
        const isPage = /\/(report|board)$/.test(request.url)
        entries.push({ url: request.url, text: isPage ? await (await cache.match(request))!.text() : '' })
      }
    }
    return entries
  })
  expect(cached.length).toBeGreaterThan(100)
  for (const { url, text } of cached) {
    expect(url).not.toContain('/api/')
    // The page lists the demo accounts for every visitor, so that list is ignored.
    expect(text.replace(/<meta name="sample-login"[^<>]{0,9000}>/, '')).not.toMatch(/tharamek|eyJ/)
  }
})

test('on a phone a session survives offline and is renewed online; online it expires as usual', async ({
  page,
  context,
}) => {
  await logIn(page, MANAGER)
  await page.goto('/report')
  await installed(page)
  await expect.poll(() => storedKinds(page), { timeout: 60_000 }).toContain('page')
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

test('an old page still opens its screens after a new build, and updates when the user presses "update"', async ({
  page,
}) => {
  // The worker fetches all files of a build twice in this test.
  test.setTimeout(300_000)
  const deployment = await startDeployment(currentServer().url)
  try {
    await logIn(page, MANAGER, `${deployment.url}/login`)
    await installed(page)
    const entry = page.locator('script[type="module"]')
    const before = (await entry.getAttribute('src'))!
    deployment.deploy()
    await page.getByRole('button', { name: 'เมนู', exact: true }).click()
    await page.getByRole('link', { name: 'งานของเรา' }).click()
    await page.getByRole('link', { name: 'ปฏิทิน' }).click()
    await expect(heading(page, 'ปฏิทิน')).toBeVisible()
    await expect(entry).toHaveAttribute('src', before)

    await page.evaluate(async () => {
      await (await navigator.serviceWorker.getRegistration())!.update()
    })
    await expect(page.getByText('มีเวอร์ชันใหม่')).toBeVisible({ timeout: 120_000 })
    await expect(entry).toHaveAttribute('src', before)
    await page.getByRole('button', { name: 'อัปเดต' }).click()
    await expect(entry).not.toHaveAttribute('src', before, { timeout: 60_000 })
    await expect(heading(page, 'ปฏิทิน')).toBeVisible()
    await expect(page.getByText('มีเวอร์ชันใหม่')).toBeHidden()
  } finally {
    await deployment.close()
  }
})

test('an uncached screen shows that it is offline instead of loading forever, and loads when online again', async ({
  page,
  context,
}) => {
  await logIn(page, MANAGER)
  await installed(page)
  await context.setOffline(true)
  await expect(page.getByText('ออฟไลน์ ดูข้อมูลเดิมได้', { exact: true })).toBeVisible()
  const missing = page.getByText('ส่วนนี้ยังไม่มีข้อมูลเดิมเก็บไว้ในเครื่อง จะโหลดให้เองเมื่อเชื่อมต่อได้อีกครั้ง')
  for (const { name, tab } of [
    { name: 'ข้อมูลบริษัท' },
    { name: 'งานของเรา', tab: 'ผลงาน' },
    { name: 'งานของเรา', tab: 'ปฏิทิน' },
    { name: 'งบประมาณประจำปี' },
  ]) {
    await page.getByRole('button', { name: 'เมนู', exact: true }).click()
    await page.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    if (tab) await page.getByRole('link', { name: tab, exact: true }).click()
    await expect(missing.first(), tab ?? name).toBeVisible()
    await waitUntilLoaded(page)
  }
  await context.setOffline(false)
  await expect(missing).toHaveCount(0, { timeout: 60_000 })
  await waitUntilLoaded(page)
})

test('Chromium can install it, and a shared link opens its project', async ({ page, context }) => {
  await logIn(page, MANAGER)
  await installed(page)
  const chromium = await context.newCDPSession(page)
  const { installabilityErrors } = await chromium.send('Page.getInstallabilityErrors')
  // Playwright runs without a profile, where browsers do not offer installation.
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
