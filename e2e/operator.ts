import { expect, type Page } from '@playwright/test'
import { runAdmin } from './admin.ts'

export const NAMED = ['--first-name', 'อนงค์', '--last-name', 'ใจดี']
export const lastLine = (printed: string) => printed.trim().split('\n').at(-1)!

/** A new operator, whom the command alone can make. */
export function makeOperator(): { readonly email: string; readonly password: string } {
  const email = `it-${Date.now()}@tamngan.example`
  return { email, password: lastLine(runAdmin('create-operator', email, ...NAMED)) }
}

/** Logs in as an operator, who is led to the overview. */
export async function enterOperation(page: Page, { email, password } = makeOperator()): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('อีเมล').fill(email)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'ภาพรวม' })).toBeVisible()
  await expect(page).toHaveURL(/\/operation$/)
}
