import { expect } from '@playwright/test'
import type { CaughtMail } from './mail-catcher.ts'
import { currentServer } from './servers.ts'

export async function fetchMailsTo(address: string): Promise<readonly CaughtMail[]> {
  const response = await fetch(
    `http://127.0.0.1:${currentServer().mailsPort}/mails?to=${encodeURIComponent(address)}`,
    {
      // As in own.ts.
      headers: { connection: 'close' },
    },
  )
  return (await response.json()) as readonly CaughtMail[]
}

/** Waits for the `nth` mail to an address whose text matches `pattern`, and returns the pattern's first group. */
export async function readFromMail(address: string, pattern: RegExp, nth = 1): Promise<string> {
  const matches = async () =>
    (await fetchMailsTo(address)).map(({ text }) => pattern.exec(text)?.[1]).filter((text) => text !== undefined)
  await expect.poll(async () => (await matches()).length).toBeGreaterThanOrEqual(nth)
  return (await matches())[nth - 1]!
}
