import { expect } from '@playwright/test'
import type { CaughtMail } from './mail-catcher.ts'
import { ownServer } from './servers.ts'

/** The mails that the product has sent to an address, oldest first. */
export async function mailsTo(address: string): Promise<readonly CaughtMail[]> {
  const response = await fetch(`http://127.0.0.1:${ownServer().mailsPort}/mails?to=${encodeURIComponent(address)}`)
  return (await response.json()) as readonly CaughtMail[]
}

/** Waits for a mail to an address whose text holds `pattern`, counted from the `nth`, and gives what the pattern's group caught. */
export async function readFromMail(address: string, pattern: RegExp, nth = 1): Promise<string> {
  const found = async () =>
    (await mailsTo(address)).map(({ text }) => pattern.exec(text)?.[1]).filter((text) => text !== undefined)
  await expect.poll(async () => (await found()).length).toBeGreaterThanOrEqual(nth)
  return (await found())[nth - 1]!
}
