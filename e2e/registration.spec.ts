import { expect, test } from '@playwright/test'
import { readFromMail } from './mailbox.ts'
import { unique, uniquePhone } from './own.ts'
import { CODE, fillStepOne, fillStepTwo, setUp } from './sign-up.ts'

const LINK = /https?:\/\/[^\s/]+(\/reset-password\/[\w-]+)/

// group-watch.spec.ts signs an organisation up on a phone.
test('an organisation signs itself up, and comes back after forgetting its password', async ({ page }) => {
  test.slow()
  // An address, a name and a number can be taken once.
  const own = unique()
  const email = `purchase@phumjai-${own}.example`
  const organisation = `บริษัท ภูมิใจ ${own} จำกัด`
  const phone = uniquePhone()
  const [first, second] = ['Chaophraya#2569', 'Mekhong!Klong7']

  await page.goto('/login')
  await page.getByRole('link', { name: 'สมัครใช้งาน' }).click()
  await fillStepOne(page, { email, password: first })
  await fillStepTwo(page, { organisation, phone })

  // Nothing typed is lost by a reload, and Back is the step before.
  await page.reload()
  await expect(page.getByLabel('ชื่อองค์กร')).toHaveValue(organisation)
  await page.getByRole('button', { name: 'ย้อนกลับ' }).click()
  await expect(page.getByText(email)).toBeVisible()
  await page.getByRole('button', { name: 'ไปต่อ' }).click()
  await expect(page.getByLabel('เบอร์โทรศัพท์')).toHaveValue(phone)
  await page.getByRole('button', { name: 'ส่งรหัสยืนยันไปที่อีเมล' }).click()

  const field = page.getByLabel('รหัสยืนยัน 6 หลัก')
  await expect(field).toBeFocused()
  await expect(page.getByText(/ขอรหัสใหม่ได้ใน/)).toBeVisible()
  const code = await readFromMail(email, CODE)
  const wrong = code === '000000' ? '000001' : '000000'
  await field.fill(wrong)
  await expect(page.getByText(/รหัสไม่ถูกต้อง/)).toBeVisible()
  // Pasted as some mail programs show it: with a blank inside, in Thai digits.
  const thai = code.replace(/\d/g, (digit) => String.fromCharCode(0x0e50 + Number(digit)))
  await field.fill(`${thai.slice(0, 3)} ${thai.slice(3)}`)
  await expect(setUp(page)).toBeVisible()

  await page.getByRole('button', { name: 'ออกจากระบบ' }).click()
  await expect(page).toHaveURL(/\/login$/)

  await page.getByRole('link', { name: 'ลืมรหัสผ่าน' }).click()
  // The field of /login has the same name.
  await expect(page.getByRole('heading', { level: 1, name: 'ลืมรหัสผ่าน' })).toBeVisible()
  await page.getByLabel('อีเมล').fill(email)
  await page.getByRole('button', { name: 'ส่งลิงก์' }).click()
  await expect(page.getByRole('heading', { name: 'ดูอีเมลของคุณ' })).toBeVisible()
  const link = await readFromMail(email, LINK)
  await page.goto(link)
  await expect(page).toHaveTitle('ตั้งรหัสผ่านใหม่ · ตามงาน')
  await page.getByLabel('รหัสผ่านใหม่', { exact: true }).fill(second)
  await page.getByLabel('รหัสผ่านใหม่อีกครั้ง', { exact: true }).fill(second)
  await page.getByRole('button', { name: 'ตั้งรหัสผ่านใหม่' }).click()
  await expect(page.getByText('เปลี่ยนรหัสผ่านแล้ว เข้าสู่ระบบด้วยรหัสผ่านใหม่')).toBeVisible()

  // The link works once.
  const other = await page.context().newPage()
  await other.goto(link)
  await expect(other.getByRole('heading', { name: 'ลิงก์นี้ใช้ไปแล้ว' })).toBeVisible()
  await other.close()

  const logIn = async (password: string) => {
    await page.getByLabel('อีเมล').fill(email)
    await page.getByLabel('รหัสผ่าน', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'เข้าสู่ระบบ' }).click()
  }
  await logIn(first)
  await expect(page.getByText('อีเมลหรือรหัสผ่านไม่ถูกต้อง')).toBeVisible()
  await logIn(second)
  await expect(setUp(page)).toBeVisible()

  // What is somebody's cannot be taken again.
  await page.getByRole('button', { name: 'ออกจากระบบ' }).click()
  await page.goto('/register')
  await page.getByLabel('อีเมลที่ทำงาน').fill(email)
  await expect(page.getByLabel('อีเมลที่ทำงาน')).toHaveAttribute('aria-invalid', 'true')
})
