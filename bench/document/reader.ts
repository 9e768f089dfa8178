import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type BrowserContext, chromium, devices, type Page } from 'playwright'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { makePdf } from '../../test/make-pdf.ts'
import { chromiumOptions } from '../screens/chromium.ts'
import { traced } from '../screens/main-thread.ts'
import { machineLine } from '../server/machine.ts'
import { startOwnServer } from '../server/own-server.ts'

/**
 * How long the first page of a document takes on Lighthouse's phone (1.6 Mbit/s, 150 ms, processor four times slower): from the tap on its name in the project's page until the page is
 * drawn, with an empty cache but what that page had loaded; and from the address alone. Wanted: 2 s from the tap. By the clock, so on an idle machine; `bytes` came over the line meanwhile
 * and hold at any load. `--unthrottled` takes the brakes off and tells the processor time of the page's main thread, which holds too: four times that, and the bytes over the line, are what a phone waits for.
 *
 *   npx node bench/document/reader.ts [--port 4441] [--dir FOLDER] [--runs 3] [--unthrottled] [--file REAL.pdf]
 *
 * Without `--file` a TOR of twenty pages that is made here, whose letters are drawn one by one (fonts of type 3).
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
const PATIENCE = { timeout: 120_000 }

type Measured = { readonly ms: number; readonly kilobytes: number; readonly computed: number }

const server = await startOwnServer(values.port, values.dir)
const browser = await chromium.launch(chromiumOptions())
try {
  const setUp = await newPhone()
  const { files, name } = await addDocument(setUp)
  const state = await setUp.storageState()
  await setUp.close()
  console.log(machineLine('reader of documents', values.unthrottled ? 'no brakes' : 'phone profile'))
  const taps: Measured[] = []
  const addresses: Measured[] = []
  for (let run = 0; run < Number(values.runs); run += 1) {
    const phone = await newPhone(state)
    const page = await phone.newPage()
    await page.goto(files)
    const link = page.getByRole('link', { name, exact: true })
    await link.waitFor(PATIENCE)
    await page.waitForLoadState('networkidle')
    const measured = await untilDrawn(page, () => link.tap())
    taps.push(measured)
    const address = page.url()
    await phone.close()
    const other = await newPhone(state)
    const cold = await other.newPage()
    addresses.push(await untilDrawn(cold, () => cold.goto(address, { waitUntil: 'commit' })))
    await other.close()
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

/** A document beside the first project of the report. */
async function addDocument(phone: BrowserContext): Promise<{ files: string; name: string }> {
  const page = await phone.newPage()
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill('manager@tharamek.example')
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(SAMPLE_PASSWORD)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
  const card = page.locator('li[data-project-id]').first()
  await card.waitFor(PATIENCE)
  const files = `/report/${await card.getAttribute('data-project-id')}?tab=files`
  await page.goto(files)
  const name = `tor-${Date.now()}.pdf`
  const pages = Array.from({ length: 20 }, (_, at) => ['ขอบเขตของงาน', `${name} หน้า ${at + 1}`, ...LINES])
  // What comes behind the end of a PDF is nobody's: each run adds a file of its own.
  const buffer = values.file
    ? Buffer.concat([await readFile(values.file), Buffer.from(`\n% ${name}\n`)])
    : makePdf(pages)
  await page.getByLabel('เลือกไฟล์เอกสาร').setInputFiles({ name, mimeType: 'application/pdf', buffer })
  const row = page.getByRole('listitem').filter({ hasText: name })
  await row.getByText(/\d หน้า/).waitFor(PATIENCE)
  return { files, name }
}

/** From `begin` until something of the first page is drawn, on the slow line and processor. */
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
    await page.locator('#page-1[data-drawn]').waitFor(PATIENCE)
    ms = performance.now() - begun
  }
  // The trace itself takes time: not where the clock counts.
  const computed = values.unthrottled ? (await traced(browser, page, work)).total : await work().then(() => 0)
  return { ms, kilobytes: bytes / 1000, computed }
}

function say(what: string, runs: readonly Measured[], wanted?: number): void {
  const middle = (figure: keyof Measured) => runs.map((run) => run[figure]).toSorted((a, b) => a - b)[runs.length >> 1]!
  const isMissed = wanted !== undefined && !values.unthrottled && middle('ms') > wanted
  const all = runs.map(({ ms }) => ms.toFixed(0)).join(' ')
  console.log(
    `  ${what}: ${middle('ms').toFixed(0)} ms (${all}), ${middle('kilobytes').toFixed(0)} kB${values.unthrottled ? `, main thread ${middle('computed').toFixed(0)} ms of processor time` : ''}${wanted === undefined ? '' : `   wanted ≤ ${wanted}${isMissed ? '   MISSED' : ''}`}`,
  )
}
