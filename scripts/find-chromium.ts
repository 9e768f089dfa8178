import { existsSync } from 'node:fs'

/**
 * Chromium of this machine: the one that is named, then the shell without a window, which shows the same pages with a quarter less work, then whole ones.
 * Undefined: none, and Playwright's own is tried.
 */
export function findChromium(): string | undefined {
  const candidates = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ]
  return candidates.find((candidate) => candidate !== undefined && candidate !== '' && existsSync(candidate))
}
