import { existsSync } from 'node:fs'

/**
 * Returns a local Chromium: the one of `CHROMIUM_PATH`, then the headless shell, which renders the same pages with a
 * quarter less work, then full browsers. When undefined, Playwright tries its own.
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
