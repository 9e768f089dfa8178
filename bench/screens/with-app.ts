import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { type Browser, type BrowserContext, chromium } from 'playwright'
import { SAMPLE_PASSWORD } from '#sample/accounts/sample-organisations.ts'
import { startServerProcess } from '../server/own-server.ts'
import { getChromiumOptions } from './chromium.ts'

type AppOptions = {
  /**
   * Address of a running server with the demo data. Without it, a fresh build is started on `port` with the data in
   * `dir`.
   */
  readonly base?: string | undefined
  readonly port: string
  readonly dir: string
}

/**
 * Runs `work` with a browser and the address of the built app. Browser and server are closed afterwards, also on
 * failure.
 */
export async function withApp(
  options: AppOptions,
  work: (chrome: Browser, base: string) => Promise<void>,
): Promise<void> {
  const root = path.join(import.meta.dirname, '../..')
  if (!options.base && !process.env.NOBUILD)
    execFileSync(process.execPath, [path.join(root, 'scripts/build-when-stale.ts')], { stdio: 'inherit' })
  const server = options.base ? undefined : await startServerProcess(options.port, options.dir)
  const browser = await chromium.launch(getChromiumOptions())
  try {
    await work(browser, options.base ?? server!.base)
  } finally {
    await browser.close()
    await server?.stop()
  }
}

export async function createSignedInState(
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
