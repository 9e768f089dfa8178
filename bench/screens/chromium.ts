import type { LaunchOptions } from 'playwright'
import { findChromium } from '../../scripts/find-chromium.ts'

/**
 * Prefers the installed Chromium over Playwright's. Disables the sandbox, which cannot run as root, and background work
 * that would take CPU time.
 */
export function getChromiumOptions(...moreArgs: readonly string[]): LaunchOptions {
  const executablePath = findChromium()
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
