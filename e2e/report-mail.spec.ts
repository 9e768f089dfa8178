import { expect, test } from '@playwright/test'
import { waitUntilStored } from './page-facts.ts'
import { followLink, openMail, QUIET_HOURS_SKIP, waitForReportMail } from './report-mail.ts'
import { readProjectIds, SALES, signIn, waitForProjectCount } from './sign-in.ts'

/** Demo account whose mails no other test reads. */
const READER = 'bid@noensai.example'

test.describe('the report mail of a load', () => {
  test.skip(...QUIET_HOURS_SKIP)

  test('a filter link opens the rows that the mail lists for it', async ({ page }) => {
    const mail = await waitForReportMail(SALES)
    await openMail(page, mail)
    const link = page.getByRole('link', { name: /^เปิด \d+ โครงการนี้ในรายงาน$/ }).first()
    const count = Number(/\d+/.exec((await link.textContent())!)![0])
    const href = new URL((await link.getAttribute('href'))!)
    const named = href.searchParams.get('project_id__in')!.split('||')
    expect(named).toHaveLength(count)
    for (const id of named.slice(0, 3)) expect(mail.text).toContain(`/report/${id}`)
    await signIn(page, SALES)
    await page.goto(`${href.pathname}${href.search}`)
    expect(await waitForProjectCount(page)).toBe(count)
    expect(new Set(await readProjectIds(page))).toEqual(new Set(named))
  })

  test('a mail link stars a project once without a session; the user turns mails off by link and on again in the settings', async ({
    page,
  }, { retry, repeatEachIndex }) => {
    const mail = await waitForReportMail(READER)
    await openMail(page, mail)
    // Each link in a mail works once, so a retry follows the link of another project.
    await followLink(page, '☆ ติดดาว', retry + repeatEachIndex)
    await expect(page.getByRole('heading', { level: 1, name: 'ติดดาวโครงการนี้?' })).toBeVisible()
    await expect(page.getByText('บัญชี')).toContainText('••••@noensai.example')
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
    expect(await readProjectIds(page)).toContain(project!.split('/').at(-1))

    await openMail(page, mail)
    await followLink(page, 'หยุดรับอีเมลรายงาน')
    await expect(page.getByRole('heading', { level: 1, name: 'หยุดรับอีเมลรายงาน?' })).toBeVisible()
    await page.getByRole('button', { name: 'หยุดรับอีเมล' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'หยุดส่งอีเมลรายงานแล้ว' })).toBeVisible()
    await page.goto('/settings?tab=notifications')
    const mailSwitch = page.getByRole('switch', { name: /รับอีเมลรายงาน/ })
    await expect(mailSwitch).not.toBeChecked()
    await waitUntilStored(page, () => mailSwitch.click())
    await expect(mailSwitch).toBeChecked()
  })
})

test('the settings preview today’s mail in a sandboxed frame with the links of the mail', async ({ page }) => {
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
  expect(await waitForProjectCount(page)).toBe(searchParams.get('project_id__in')!.split('||').length)
})
