import { expect, type Page, test } from '@playwright/test'
import { expectNothingSerious } from './axe.ts'
import type { CaughtMail } from './mail-catcher.ts'
import { mailsTo } from './mailbox.ts'
import { foundProjects, projectIds, SALES, signIn } from './sign-in.ts'

/** Of the sample; nobody else's tests look at their mails. */
const READER = 'bid@noensai.example'

/** The sample's organisations get no mail between 01:00 and 09:00 in Bangkok: what the start of the server brought waits for the end of it. */
const hour = (new Date().getUTCHours() + 7) % 24
const IS_NIGHT = hour >= 1 && hour < 9

async function reportMailTo(address: string): Promise<CaughtMail> {
  const reports = async () => (await mailsTo(address)).filter(({ text }) => text.startsWith('รายงานโครงการ'))
  await expect.poll(async () => (await reports()).length, { timeout: 60_000 }).toBe(1)
  return (await reports())[0]!
}

/** Shows a mail as a mail program does, in a page of its own. */
async function openMail(page: Page, mail: CaughtMail): Promise<void> {
  await page.goto('about:blank')
  await page.setContent(mail.html)
}

/** Follows a link of the open mail in this page. */
async function follow(page: Page, name: string | RegExp): Promise<void> {
  const href = await page.getByRole('link', { name }).first().getAttribute('href')
  const { pathname, search, hash } = new URL(href!)
  await page.goto(`${pathname}${search}${hash}`)
}

test.describe('the mail of a load', () => {
  test.skip(IS_NIGHT, 'between 01:00 and 09:00 in Bangkok the mails of the sample wait for 09:00')

  test('the link of a filter opens the rows that the mail names for it', async ({ page }) => {
    const mail = await reportMailTo(SALES)
    await openMail(page, mail)
    await expectNothingSerious(page)
    const link = page.getByRole('link', { name: /^เปิด \d+ โครงการนี้ในรายงาน$/ }).first()
    const count = Number(/\d+/.exec((await link.textContent())!)![0])
    const href = new URL((await link.getAttribute('href'))!)
    const named = href.searchParams.get('project_id__in')!.split('||')
    expect(named).toHaveLength(count)
    for (const id of named.slice(0, 3)) expect(mail.text).toContain(`/report/${id}`)
    await signIn(page, SALES)
    await page.goto(`${href.pathname}${href.search}`)
    expect(await foundProjects(page)).toBe(count)
    expect(new Set(await projectIds(page))).toEqual(new Set(named))
  })

  test('a project is starred from the mail without a session, once, and it can be taken back', async ({ page }) => {
    await openMail(page, await reportMailTo(READER))
    await follow(page, '☆ ติดดาว')
    await expect(page.getByRole('heading', { level: 1, name: 'ติดดาวโครงการนี้?' })).toBeVisible()
    await expect(page.getByText('บัญชี')).toContainText('••••@noensai.example')
    await expectNothingSerious(page)
    const address = page.url()
    await page.getByRole('button', { name: 'ติดดาว' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'ติดดาวแล้ว' })).toBeVisible()
    const project = await page.getByRole('link', { name: 'ดูโครงการนี้ในตามงาน' }).getAttribute('href')
    await page.getByRole('button', { name: 'เลิกทำ' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'เอาดาวออกแล้ว' })).toBeVisible()
    await page.getByRole('button', { name: 'เลิกทำ' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'ติดดาวแล้ว' })).toBeVisible()
    await page.goto('/login')
    await page.goto(address)
    await expect(page.getByRole('heading', { level: 1, name: 'ลิงก์นี้ใช้ไปแล้ว' })).toBeVisible()
    await page.goto(`${address.slice(0, -3)}`)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'ลิงก์นี้อ่านไม่ได้' })).toBeVisible()
    await signIn(page, READER)
    await page.goto('/report?project_bookmark=true')
    expect(await projectIds(page)).toContain(project!.split('/').at(-1))
  })

  test('the mails are switched off from the mail, and on again in the settings', async ({ page }) => {
    const mail = await reportMailTo(READER)
    await openMail(page, mail)
    await follow(page, 'หยุดรับอีเมลรายงาน')
    await expect(page.getByRole('heading', { level: 1, name: 'หยุดรับอีเมลรายงาน?' })).toBeVisible()
    await page.getByRole('button', { name: 'หยุดรับอีเมล' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'หยุดส่งอีเมลรายงานแล้ว' })).toBeVisible()
    await signIn(page, READER)
    await page.goto('/settings?tab=notifications')
    const mailSwitch = page.getByRole('switch', { name: /รับอีเมลรายงาน/ })
    await expect(mailSwitch).not.toBeChecked()
    await mailSwitch.click()
    await expect(mailSwitch).toBeChecked()
  })
})

test('the settings show the mail of today in a frame that may run nothing, and its links are the mail’s', async ({
  page,
}) => {
  await signIn(page, SALES)
  await page.goto('/settings?tab=notifications')
  await page.getByRole('button', { name: 'ดูตัวอย่างอีเมลของวันนี้' }).click()
  const frame = page.frameLocator('iframe[title="ตัวอย่างอีเมลรายงาน"]')
  await expect(frame.getByRole('heading', { level: 1 })).toContainText('รายงานโครงการ')
  await expect(page.locator('iframe')).toHaveAttribute('sandbox', /^allow-popups allow-popups-to-escape-sandbox$/)
  await expect(page.getByText(/หัวเรื่อง/)).toBeVisible()
  const href = await frame
    .getByRole('link', { name: /^เปิด \d+ โครงการนี้/ })
    .first()
    .getAttribute('href')
  const { pathname, search, searchParams } = new URL(href!)
  await page.goto(`${pathname}${search}`)
  expect(await foundProjects(page)).toBe(searchParams.get('project_id__in')!.split('||').length)
})
