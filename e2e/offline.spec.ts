import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { logIn, MANAGER } from './sign-in.ts'

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

test('without a network the app starts, shows report, starred project, board and queue, and sends two stars once when it is back', async ({
  page,
  context,
}) => {
  await logIn(page, MANAGER)
  await page.goto('/report')
  await installed(page)
  const cards = page.getByRole('article')
  await expect(cards.first()).toBeVisible()
  // What was asked ahead on a phone: the board, the queue, pages of projects.
  await expect.poll(async () => [...(await keptKinds(page))].sort(), { timeout: 60_000 }).toEqual(
    expect.arrayContaining(['account', 'board', 'page', 'project', 'queue', 'queue rows']),
  )
  const names = await cards.getByRole('heading').allInnerTexts()

  await lift(context)
  await page.reload()
  await expect(heading(page)).toBeVisible()
  await expect(cards.getByRole('heading').first()).toHaveText(names[0]!)
  await expect(page.getByText(/ข้อมูลเมื่อ .*\d\d:\d\d น\./)).toBeVisible()

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
