import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { startOwnServer } from '../server/own-server.ts'
import { chromiumOptions } from './chromium.ts'

type Place = {
  /** A server that runs already and holds the sample. Without it one of its own is started on `port` with the data in `dir`, of a fresh build. */
  readonly base?: string | undefined
  readonly port: string
  readonly dir: string
}

/** Runs `work` with a browser and the address of the built app. Browser and server end with it, whatever happens. */
export async function withApp(place: Place, work: (chrome: Browser, base: string) => Promise<void>): Promise<void> {
  const root = path.join(import.meta.dirname, '../..')
  if (!place.base && !process.env.NOBUILD)
    execFileSync(process.execPath, [path.join(root, 'scripts/build-when-stale.ts')], { stdio: 'inherit' })
  const server = place.base ? undefined : await startOwnServer(place.port, place.dir)
  const browser = await chromium.launch(chromiumOptions())
  try {
    await work(browser, place.base ?? server!.base)
  } finally {
    await browser.close()
    await server?.stop()
  }
}

/** What the browser of somebody keeps who has logged in as the sample's manager. */
export async function signedInState(
  chrome: Browser,
  baseURL: string,
): Promise<Awaited<ReturnType<BrowserContext['storageState']>>> {
  const page = await chrome.newPage({ baseURL })
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill('manager@tharamek.example')
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(SAMPLE_PASSWORD)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' }).waitFor()
  const state = await page.context().storageState()
  await page.context().close()
  return state
}
