import { existsSync } from 'node:fs'
import type { LaunchOptions } from 'playwright'

/** How a bench starts its browser: the one of the machine, else Playwright's. As root it refuses its sandbox, and nothing else may take its time. */
export function chromiumOptions(...moreArgs: readonly string[]): LaunchOptions {
  const executablePath = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
    (file) => file && existsSync(file),
  )
  return {
    ...(executablePath ? { executablePath } : {}),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-sync',
      ...moreArgs,
    ],
  }
}
