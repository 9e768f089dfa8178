import { expect, type Page, type Route, test } from '@playwright/test'
import { runAdmin } from './admin.ts'
import { lastLine, NAMED } from './operator.ts'
import { ownServer } from './servers.ts'

/** By name: a passkey belongs to one, and the other tests use the address of numbers. */
const address = (path: string) => `http://localhost:${ownServer().port}${path}`

/** An account of its own: with a passkey the password alone opens it no more. */
function makeUser() {
  const email = `passkey-${Date.now()}@tharamek.example`
  return { email, password: lastLine(runAdmin('create-user', 'tharamek', email, ...NAMED, '--role', 'super_user')) }
}

/** Answers as how the person touches the device: while nobody does, what the browser offers by itself is not taken either. */
async function addAuthenticator(page: Page): Promise<(isTouched: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return async (enabled) => {
    await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
  }
}

/** Keeps the answers about passkeys back; what is called then lets the newest go first, so an offer of the browser comes after a press. */
async function holdOptions(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = []
  const isOptions = (url: URL) => url.pathname.endsWith('/auth/passkey/options/')
  await page.route(isOptions, (route) => {
    held.push(route)
  })
  return async () => {
    await expect.poll(() => held.length).toBe(2)
    for (const route of held.reverse()) {
      const answered = page.waitForResponse(route.request().url())
      await route.continue()
      await answered
    }
    await page.unroute(isOptions)
  }
}

async function typeLogin(page: Page, { email, password }: { email: string; password: string }) {
  await page.goto(address('/login'))
  await page.getByLabel('อีเมล').fill(email)
  await page.getByLabel('รหัสผ่าน', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

const expectInside = (page: Page) =>
  expect(page.getByRole('heading', { level: 1, name: 'รายงานโครงการ' })).toBeVisible()

async function logOut(page: Page) {
  await page.getByRole('button', { name: /เมนูผู้ใช้/ }).click()
  await page.getByRole('button', { name: 'ออกจากระบบ', exact: true }).click()
  await expect(page).toHaveURL(/\/login/)
}

test('R70: a passkey is added by keyboard, opens the account alone, and stands beside the password', async ({
  page,
}) => {
  const user = makeUser()
  const touch = await addAuthenticator(page)
  await typeLogin(page, user)
  await expectInside(page)
  await page.goto(address('/settings?tab=security'))
  await page.getByRole('button', { name: 'เพิ่มพาสคีย์' }).press('Enter')
  await expect(page.getByLabel('ชื่อพาสคีย์')).toBeFocused()
  await page.getByLabel('ชื่อพาสคีย์').fill('โน้ตบุ๊กของอนงค์')
  await page.keyboard.press('Enter')
  const codes = page.getByRole('region', { name: 'รหัสกู้คืน' }).first()
  await expect(codes.getByRole('listitem')).toHaveCount(10)
  const recovery = await codes.getByRole('listitem').first().innerText()
  await page.getByRole('button', { name: 'เก็บไว้แล้ว' }).press('Enter')
  await expect(page.getByText('โน้ตบุ๊กของอนงค์', { exact: true })).toBeVisible()

  await touch(false)
  const letGo = await holdOptions(page)
  await logOut(page)
  const entry = page.getByRole('button', { name: 'เข้าสู่ระบบด้วยพาสคีย์' })
  await entry.press('Enter')
  await expect(entry).toHaveAttribute('aria-busy', 'true')
  await touch(true)
  await letGo()
  await expectInside(page)
  await touch(false)

  await logOut(page)
  await typeLogin(page, user)
  await expect(page.getByRole('heading', { name: 'ยืนยันอีกขั้น' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'ใช้พาสคีย์', exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'ใช้รหัสกู้คืน' }).press('Enter')
  await expect(page.getByLabel('รหัสกู้คืน')).toBeFocused()
  await page.keyboard.type('aaaa-aaaa-aaaa-aaaa')
  await page.keyboard.press('Enter')
  await expect(page.getByText('รหัสกู้คืนไม่ถูกต้องหรือใช้ไปแล้ว')).toBeVisible()
  await page.getByLabel('รหัสกู้คืน').fill(recovery)
  await page.getByRole('checkbox', { name: /ไม่ถามในอุปกรณ์นี้/ }).press('Space')
  await page.getByLabel('รหัสกู้คืน').press('Enter')
  await expectInside(page)

  // Remembered: the password is enough here now.
  await logOut(page)
  await typeLogin(page, user)
  await expectInside(page)
})
