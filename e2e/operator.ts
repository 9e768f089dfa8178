import { expect, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'
import { runAdmin } from './admin.ts'

export const NAME_ARGS = ['--first-name', 'อนงค์', '--last-name', 'ใจดี']
export const getLastLine = (printed: string) => printed.trim().split('\n').at(-1)!

export function createOperator(): { readonly email: string; readonly password: string } {
  const email = `it-${Date.now()}@tamngan.example`
  return { email, password: getLastLine(runAdmin('create-operator', email, ...NAME_ARGS)) }
}

export async function openOperation(page: Page, { email, password } = createOperator()): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill(email)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(page.getByText('บัญชีผู้ดูแลระบบต้องยืนยันสองขั้น')).toBeVisible()
  await addTotp(page, { email, password })
  await page.goto('/operation')
  await expect(page.getByRole('heading', { level: 1, name: 'ภาพรวม' })).toBeVisible()
  await expect(page).toHaveURL(/\/operation$/)
}

async function addTotp(page: Page, data: { readonly email: string; readonly password: string }): Promise<void> {
  const { access } = await (await page.request.post('/api/v2/auth/login/', { data })).json()
  const headers = { authorization: `Bearer ${access}` }
  const { secret } = await (await page.request.post('/api/v2/users/me/totp', { headers })).json()
  const otp = new TOTP({ algorithm: 'SHA1', digits: 6, period: 30, secret: Secret.fromBase32(secret) }).generate()
  expect((await page.request.post('/api/v2/users/me/totp/confirm', { headers, data: { otp } })).status()).toBe(200)
}
