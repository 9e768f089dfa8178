import { expect, test } from 'vitest'
import {
  alreadyRegisteredMail,
  passwordChangedMail,
  passwordResetMail,
  registerOtpMail,
  sessionCopiedMail,
  sessionsEndedMail,
} from './account-mails.ts'
import { renderMail } from './render-mail.ts'

const EVIL = '<script>alert(1)</script>"\'&'

test('R35: whatever stands in a mail is escaped in its HTML, and a subject is one line', () => {
  const mail = renderMail({
    subject: `งาน\r\nBcc: x@evil.example ${EVIL}`,
    preview: EVIL,
    blocks: [
      { text: EVIL },
      { note: EVIL },
      { code: EVIL },
      { facts: [[EVIL, EVIL]] },
      { button: EVIL, url: `https://x.example/?a="${EVIL}` },
    ],
  })
  expect(mail.subject).not.toMatch(/[\r\n]/)
  expect(mail.html).not.toContain('<script>')
  expect(mail.html).not.toContain(`"'&`)
  expect(mail.text).toContain(EVIL)
})

const at = new Date('2026-11-21T03:00:00Z')
const resetUrl = 'https://tamngan.example/reset-password'
test.each([
  ['code', registerOtpMail({ otp: '012345', minutes: 10 }), ['012345', '10 นาที']],
  [
    'already registered',
    alreadyRegisteredMail({ loginUrl: 'https://tamngan.example/login', resetUrl }),
    ['/login', resetUrl],
  ],
  ['reset', passwordResetMail({ url: `${resetUrl}/abc`, minutes: 60 }), [`${resetUrl}/abc`, '60 นาที']],
  ['password changed', passwordChangedMail({ at, resetUrl }), ['21/11/2569 10:00', resetUrl]],
  ['sessions ended', sessionsEndedMail({ at, resetUrl }), ['21/11/2569 10:00', resetUrl]],
  ['session copied', sessionCopiedMail({ at, resetUrl }), ['21/11/2569 10:00', resetUrl]],
])('the mail "%s" says the same in text and HTML, in one look without anything from elsewhere', (_, mail, words) => {
  for (const word of words) {
    expect(mail.text).toContain(word)
    expect(mail.html).toContain(word)
  }
  expect(mail.html).toMatch(/^<!doctype html>\n<html lang="th">/)
  expect(mail.html).toContain('prefers-color-scheme: dark')
  expect(mail.html).not.toMatch(/<img|<link|<script|@import|url\(|\ssrc=/)
  expect(mail.text).not.toMatch(/<\/?\w+|undefined/)
})
