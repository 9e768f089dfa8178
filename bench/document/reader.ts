import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, devices, type Page } from 'playwright'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { makePdf } from '../../test/make-pdf.ts'
import { getChromiumOptions } from '../screens/chromium.ts'
import { traceMainThread } from '../screens/main-thread.ts'
import { describeMachine } from '../server/machine.ts'
import { startServerProcess } from '../server/own-server.ts'

/**
 * Measures how long the first page of a document takes on Lighthouse's phone profile (1.6 Mbit/s, 150 ms, 4× CPU
 * slowdown): from the tap on its name on the project page until the page is drawn, with a cache that holds only what
 * that page loaded; and from a direct visit to its URL. Target: 2 s from the tap. Elapsed time needs an idle machine;
 * `bytes`, the transfer size, is valid at any load. `--unthrottled` removes the throttling and reports main-thread CPU
 * time, which is also load-independent: four times that plus the transfer is what a phone waits for. Without `--file`
 * the bench generates a TOR of twenty pages whose letters are drawn one by one (Type 3 fonts).
 *
 *   npx node bench/document/reader.ts [--port 4441] [--dir FOLDER] [--runs 3] [--unthrottled] [--file REAL.pdf]
 */
const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4441' },
    dir: { type: 'string', default: path.join(tmpdir(), 'tamngan-bench-rows') },
    runs: { type: 'string', default: '3' },
    unthrottled: { type: 'boolean', default: false },
    file: { type: 'string' },
  },
})
const WANTED_MS = 2_000
const LINE = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 }
const SLOWER = 4
const LINES = Array.from(
  { length: 30 },
  (_, at) => `ข้อ ${at + 1} ผู้ยื่นข้อเสนอต้องวางหลักประกันการเสนอราคา และส่งมอบพัสดุภายใน 90 วัน`,
)
const LONG_TIMEOUT = { timeout: 120_000 }

type Measured = { readonly ms: number; readonly kilobytes: number; readonly computed: number }

const server = await startServerProcess(values.port, values.dir)
const browser = await chromium.launch(getChromiumOptions())
try {
  const setUp = await newPhone()
  const { files, name } = await addDocument(setUp)
  const state = await setUp.storageState()
  await setUp.close()
  console.log(describeMachine('document reader', values.unthrottled ? 'no brakes' : 'phone profile'))
  const taps: Measured[] = []
  const addresses: Measured[] = []
  for (let run = 0; run < Number(values.runs); run += 1) {
    const phone = await newPhone(state)
    const page = await phone.newPage()
    await page.goto(files)
    const link = page.getByRole('link', { name, exact: true })
    await link.waitFor(LONG_TIMEOUT)
    await page.waitForLoadState('networkidle')
    const measured = await untilDrawn(page, () => link.tap())
    taps.push(measured)
    const address = page.url()
    await phone.close()
    const freshPhone = await newPhone(state)
    const cold = await freshPhone.newPage()
    addresses.push(await untilDrawn(cold, () => cold.goto(address, { waitUntil: 'commit' })))
    await freshPhone.close()
  }
  say('from the tap', taps, WANTED_MS)
  say('from the address, empty cache', addresses)
} finally {
  await browser.close()
  await server.stop()
}

function newPhone(storageState?: Awaited<ReturnType<BrowserContext['storageState']>>): Promise<BrowserContext> {
  const phone = devices['Pixel 7']!
  return browser.newContext({ ...phone, baseURL: server.base, locale: 'th-TH', ...(storageState && { storageState }) })
}

async function addDocument(phone: BrowserContext): Promise<{ files: string; name: string }> {
  const page = await phone.newPage()
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill('manager@tharamek.example')
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(SAMPLE_PASSWORD)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
  const card = page.locator('li[data-project-id]').first()
  await card.waitFor(LONG_TIMEOUT)
  const files = `/report/${await card.getAttribute('data-project-id')}?tab=files`
  await page.goto(files)
  const name = `tor-${Date.now()}.pdf`
  const pages = Array.from({ length: 20 }, (_, at) => ['ขอบเขตของงาน', `${name} หน้า ${at + 1}`, ...LINES])
  // Each run uploads a distinct file. A real file gets bytes after its end, which PDF readers ignore.
  const buffer = values.file
    ? Buffer.concat([await readFile(values.file), Buffer.from(`\n% ${name}\n`)])
    : makePdf(pages)
  await page.getByLabel('เลือกไฟล์เอกสาร').setInputFiles({ name, mimeType: 'application/pdf', buffer })
  const row = page.getByRole('listitem').filter({ hasText: name })
  await row.getByText(/\d หน้า/).waitFor(LONG_TIMEOUT)
  return { files, name }
}

async function untilDrawn(page: Page, begin: () => Promise<unknown>): Promise<Measured> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  if (!values.unthrottled) {
    await session.send('Network.emulateNetworkConditions', LINE)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
  }
  const begun = performance.now()
  let ms = 0
  const work = async () => {
    await begin()
    await page.locator('#page-1[data-drawn]').waitFor(LONG_TIMEOUT)
    ms = performance.now() - begun
  }
  // Tracing takes time itself, so trace only with `--unthrottled`, where elapsed time does not count.
  const computed = values.unthrottled ? (await traceMainThread(browser, page, work)).total : await work().then(() => 0)
  return { ms, kilobytes: bytes / 1000, computed }
}

function say(what: string, runs: readonly Measured[], targetMs?: number): void {
  const middle = (figure: keyof Measured) => runs.map((run) => run[figure]).toSorted((a, b) => a - b)[runs.length >> 1]!
  const isMissed = targetMs !== undefined && !values.unthrottled && middle('ms') > targetMs
  const all = runs.map(({ ms }) => ms.toFixed(0)).join(' ')
  console.log(
    `  ${what}: ${middle('ms').toFixed(0)} ms (${all}), ${middle('kilobytes').toFixed(0)} kB${values.unthrottled ? `, main thread ${middle('computed').toFixed(0)} ms of CPU time` : ''}${targetMs === undefined ? '' : `   target ≤ ${targetMs}${isMissed ? '   MISSED' : ''}`}`,
  )
}
