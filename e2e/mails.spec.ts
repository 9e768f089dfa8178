import { expect, type Page, test } from '@playwright/test'
import {
  renderAlreadyRegisteredMail,
  renderPasswordResetMail,
  renderRegistrationOtpMail,
} from '#server/platform/mail/account-mails.ts'
import { MAIL_COLOURS, MAIL_HEADER_COLOURS } from '#server/platform/mail/mail-frame.ts'
import {
  renderApiKeyCreatedMail,
  renderNewDeviceMail,
  renderPasswordChangedMail,
  renderRefreshTokenReusedMail,
  renderRoleChangedMail,
  renderSecondFactorChangedMail,
  renderSessionsEndedMail,
} from '#server/platform/mail/notice-mails.ts'
import { renderReportMail } from '#server/platform/mail/render-report-mail.ts'
import { expectNoSidewaysScroll } from './page-facts.ts'

const at = new Date('2026-11-21T03:00:00Z')
const resetUrl = 'https://tamngan.example/reset-password'
const long = `${resetUrl}/${'a1b2c3d4'.repeat(12)}`
const link = (text: string) => ({ text, url: long })
const row = {
  name: 'ประกวดราคาซื้อระบบกล้องวงจรปิดพร้อมสายใยแก้วนำแสงภายในอาคารสำนักงานเขตจตุจักร จำนวน 64 จุด ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
  url: long,
  isNew: true,
  facts: ['งบ 12,500,000.00 บาท', 'สำนักงานเขตจตุจักร กรุงเทพมหานคร'],
  deadline: { text: 'ยื่นภายใน 28 พ.ย. 2569 เหลือ 2 วัน', isUrgent: true },
  changes: [{ field: 'วันสิ้นสุดยื่นข้อเสนอ', old: '25 พ.ย. 2569', new: '28 พ.ย. 2569' }],
  result: undefined,
  filters: ['กล้องวงจรปิด ภาคอีสาน'],
  actions: [link('ติดดาว'), link('ซ่อน'), link('ไม่ต้องส่งคำนี้อีก')],
}
const MAILS = {
  code: renderRegistrationOtpMail({ otp: '012345', minutes: 10 }),
  'already registered': renderAlreadyRegisteredMail({ loginUrl: 'https://tamngan.example/login', resetUrl }),
  reset: renderPasswordResetMail({ url: long, minutes: 60 }),
  'password changed': renderPasswordChangedMail({ at, notMeUrl: long }),
  'second factor': renderSecondFactorChangedMail({ at, notMeUrl: long, what: 'เพิ่มพาสคีย์ “โทรศัพท์ของฉัน”' }),
  'role changed': renderRoleChangedMail({ at, notMeUrl: long, role: 'Super User', by: 'ปราณี สุข' }),
  'new device': renderNewDeviceMail({ at, notMeUrl: long, device: 'Chrome บน Windows', address: '203.0.113.7' }),
  'API key': renderApiKeyCreatedMail({
    ...{ name: 'Power BI', scopes: ['รายงานโครงการ', 'งานของเรา'], by: 'manager@tharamek.example', at },
    ...{ expiresAt: null, url: long, notMeUrl: long },
  }),
  'sessions ended': renderSessionsEndedMail({ at, resetUrl }),
  'session copied': renderRefreshTokenReusedMail({ at, resetUrl }),
  report: renderReportMail({
    subject: 'ใหม่ 12 โครงการ',
    preview: 'ยื่นภายใน 3 วัน 2 โครงการ',
    title: 'รายงานโครงการ 21 พ.ย. 2569',
    figures: [{ text: 'เช้านี้: ใหม่ 12', link: { text: 'ไล่ดูใหม่', url: 'https://tamngan.example/report?queue=true' } }],
    filters: [{ name: 'กล้องวงจรปิด', words: 'เปิดรับข้อเสนอ · ภาคอีสาน', links: [link('เปิดในรายงาน'), link('ปิดอีเมลนี้')] }],
    notes: ['ข้อมูล ณ 21 พ.ย. 2569 09:00 น.'],
    sections: [{ title: 'ใหม่', count: 12, rows: [row, row], all: [link('ดูทั้งหมดในรายงาน')] }],
    ends: [link('ปิดอีเมลทั้งหมด'), link('ตั้งค่า')],
    unsubscribeUrl: long,
  }),
}

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`
const ground = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => getComputedStyle(element).backgroundColor)

for (const scheme of ['light', 'dark'] as const) {
  test.describe(`on a narrow phone, ${scheme}`, () => {
    test.use({ viewport: { width: 320, height: 640 }, colorScheme: scheme })

    test('each mail shows the brand, fits, and is readable without images', async ({ page }) => {
      const fetched: string[] = []
      page.on('request', (request) => fetched.push(request.url()))
      for (const [kind, mail] of Object.entries(MAILS))
        await test.step(kind, async () => {
          await page.setContent(mail.html)
          expect(fetched).toEqual([])
          expect(await page.locator('img').count()).toBe(0)
          await expectNoSidewaysScroll(page)
          await expect(page.getByText('ตามงาน', { exact: true })).toBeVisible()
          expect(await ground(page, '.brand')).toBe(rgb(MAIL_HEADER_COLOURS.ground))
          expect(await ground(page, '.card')).toBe(rgb(MAIL_COLOURS[scheme].card))
          expect(await ground(page, 'body')).toBe(rgb(MAIL_COLOURS[scheme].page))
          for (const button of await page.locator('.button').all()) {
            const box = (await button.boundingBox())!
            expect(box.height).toBeGreaterThanOrEqual(44)
            expect(box.width).toBeGreaterThan(250)
          }
          expect(await page.locator('.card').evaluate((card) => getComputedStyle(card).color)).toBe(
            rgb(MAIL_COLOURS[scheme].ink),
          )
          expect(mail.text.length).toBeGreaterThan(60)
        })
    })
  })
}
