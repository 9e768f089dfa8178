import { existsSync } from 'node:fs'
import type { LaunchOptions } from 'playwright'

/**
 * Prefers the installed Chromium over Playwright's. Disables the sandbox, which cannot run as root, and background work
 * that would take CPU time.
 */
export function getChromiumOptions(...moreArgs: readonly string[]): LaunchOptions {
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
