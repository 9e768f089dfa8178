import { expect, type Page } from '@playwright/test'
import type { CaughtMail } from './mail-catcher.ts'
import { fetchMailsTo } from './mailbox.ts'

const hour = (new Date().getUTCHours() + 7) % 24
/**
 * Arguments for `test.skip`: in these hours the demo organisations get no mail, because the mail of the server start is
 * deferred until the hours end.
 */
export const QUIET_HOURS_SKIP = [
  hour >= 1 && hour < 9,
  'between 01:00 and 09:00 in Bangkok the mails of the sample wait for 09:00',
] as const

export async function waitForReportMail(address: string): Promise<CaughtMail> {
  const reports = async () => (await fetchMailsTo(address)).filter(({ text }) => text.startsWith('รายงานโครงการ'))
  await expect.poll(async () => (await reports()).length, { timeout: 60_000 }).toBe(1)
  return (await reports())[0]!
}

export async function openMail(page: Page, mail: CaughtMail): Promise<void> {
  await page.goto('about:blank')
  await page.setContent(mail.html)
}

export async function followLink(page: Page, name: string | RegExp, nth = 0): Promise<void> {
  const href = await page.getByRole('link', { name }).nth(nth).getAttribute('href')
  const { pathname, search, hash } = new URL(href!)
  await page.goto(`${pathname}${search}${hash}`)
}
