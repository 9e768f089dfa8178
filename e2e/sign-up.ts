import { expect, type Page } from '@playwright/test'
import { readFromMail } from './mailbox.ts'

export const MAILED_CODE_PATTERN = /(?:^|\s)(\d{6})(?:\s|$)/

export type NewAccount = {
  readonly email: string
  readonly password: string
  readonly organisation: string
  readonly phone: string
}

export async function fillStepOne(
  page: Page,
  { email, password }: Pick<NewAccount, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('อีเมลที่ทำงาน').fill(email)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(password)
  await page.getByLabel('รหัสผ่านอีกครั้ง', { exact: true }).fill(password)
  await page.getByRole('checkbox', { name: /ยอมรับข้อกำหนด/ }).check()
  await page.getByRole('button', { name: 'ต่อไป' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'ข้อมูลองค์กร' })).toBeVisible()
}

export async function fillStepTwo(
  page: Page,
  { organisation, phone }: Pick<NewAccount, 'organisation' | 'phone'>,
): Promise<void> {
  await page.getByLabel('ชื่อองค์กร').fill(organisation)
  await page.getByLabel('ชื่อ', { exact: true }).fill('พิมพ์ชนก')
  await page.getByLabel('นามสกุล').fill('วงศ์สวัสดิ์')
  await page.getByLabel('เบอร์โทรศัพท์').fill(phone)
  // A reload right after the click would happen before the draft is saved.
  const channel = page.getByRole('radio', { name: 'เพื่อนหรือคนรู้จักแนะนำ' })
  await page.getByText('เพื่อนหรือคนรู้จักแนะนำ').click()
  await expect(channel).toBeChecked()
}

export const getSetupHeading = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'ใส่เลขผู้เสียภาษี แล้วเราเตรียมรายการงานให้' })

/**
 * Registers an organisation, from the form to the code in the mail, and waits for the set-up. `before`: additional
 * input at step two.
 */
export async function signUp(page: Page, account: NewAccount, before?: () => Promise<void>): Promise<void> {
  await page.goto('/register')
  await fillStepOne(page, account)
  await fillStepTwo(page, account)
  await before?.()
  await page.getByRole('button', { name: 'ส่งรหัสยืนยันไปที่อีเมล' }).click()
  await page.getByLabel('รหัสยืนยัน 6 หลัก').fill(await readFromMail(account.email, MAILED_CODE_PATTERN))
  await expect(getSetupHeading(page)).toBeVisible()
}
