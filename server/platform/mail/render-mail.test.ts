import { expect, test } from 'vitest'
import * as accountMails from './account-mails.ts'
import {
  renderAlreadyRegisteredMail,
  renderInvitationMail,
  renderJoinRequestMail,
  renderPasswordResetMail,
  renderRegistrationOtpMail,
} from './account-mails.ts'
import * as emailChangeMails from './email-change-mails.ts'
import { renderConfirmNewEmailMail, renderConfirmOldEmailMail, renderEmailChangedMail } from './email-change-mails.ts'
import * as noticeMails from './notice-mails.ts'
import {
  renderApiKeyCreatedMail,
  renderNewDeviceMail,
  renderPasswordChangedMail,
  renderRefreshTokenReusedMail,
  renderRoleChangedMail,
  renderSecondFactorChangedMail,
  renderSecondFactorFailedMail,
  renderSessionsEndedMail,
} from './notice-mails.ts'
import * as organisationLoginMails from './organisation-login-mails.ts'
import {
  renderAccountLinkedMail,
  renderIdentityMismatchMail,
  renderLoginDomainChangedMail,
} from './organisation-login-mails.ts'
import { type MailContent, renderMail } from './render-mail.ts'

const EVIL = '<script>alert(1)</script>"\'&'

test('R35: escapes all content in the HTML of a mail, and keeps the subject on one line', () => {
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
const notMeUrl = 'https://tamngan.example/not-me/abc'
const TIME = '21/11/2569 10:00'
const organisation = 'บริษัท ก จำกัด'
const key = { name: 'Power BI', scopes: ['รายงานโครงการ'], by: 'boss@a.example', at, expiresAt: null, url: resetUrl }
const change = { oldEmail: 'old@a.example', newEmail: 'new@a.example', url: notMeUrl, hours: 24, at }
const MAILS: [string, MailContent, string[]][] = [
  ['code', renderRegistrationOtpMail({ otp: '012345', minutes: 10 }), ['012345', '10 นาที']],
  [
    'already registered',
    renderAlreadyRegisteredMail({ loginUrl: 'https://tamngan.example/login', resetUrl }),
    ['/login', resetUrl],
  ],
  ['reset', renderPasswordResetMail({ url: `${resetUrl}/abc`, minutes: 60 }), [`${resetUrl}/abc`, '60 นาที']],
  [
    'invitation',
    renderInvitationMail({ name: 'ปราณี', organisation, url: notMeUrl, days: 7 }),
    ['ปราณี', organisation, notMeUrl, '7 วัน'],
  ],
  [
    'request to join',
    renderJoinRequestMail({ name: 'สมชาย', email: 's@a.example', organisation, url: resetUrl }),
    ['สมชาย', 's@a.example', resetUrl],
  ],
  [
    'API key',
    renderApiKeyCreatedMail(key),
    ['Power BI', 'รายงานโครงการ', 'boss@a.example', 'ไม่หมดอายุ', TIME, resetUrl],
  ],
  ['own API key', renderApiKeyCreatedMail({ ...key, expiresAt: at, notMeUrl }), ['Power BI', TIME, resetUrl, notMeUrl]],
  ['password changed', renderPasswordChangedMail({ at, notMeUrl }), [TIME, notMeUrl]],
  ['second factor', renderSecondFactorChangedMail({ at, notMeUrl, what: 'เพิ่มพาสคีย์' }), ['เพิ่มพาสคีย์', TIME, notMeUrl]],
  [
    'role',
    renderRoleChangedMail({ at, notMeUrl, role: 'Super User', by: 'ปราณี' }),
    ['Super User', 'ปราณี', TIME, notMeUrl],
  ],
  ['old address', renderConfirmOldEmailMail(change), ['new@a.example', TIME, notMeUrl, '24 ชั่วโมง']],
  ['new address', renderConfirmNewEmailMail(change), ['old@a.example', notMeUrl, '24 ชั่วโมง']],
  [
    'address changed',
    renderEmailChangedMail({ at, notMeUrl, newEmail: 'new@a.example' }),
    ['new@a.example', TIME, notMeUrl],
  ],
  [
    'new device',
    renderNewDeviceMail({ at, notMeUrl, device: 'Chrome บน Windows', address: '203.0.113.7' }),
    ['Chrome บน Windows', '203.0.113.7', TIME, notMeUrl],
  ],
  [
    'second step failing',
    renderSecondFactorFailedMail({ at, notMeUrl, device: 'Chrome บน Windows', address: '203.0.113.7' }),
    ['Chrome บน Windows', '203.0.113.7', TIME, notMeUrl],
  ],
  [
    'login domain',
    renderLoginDomainChangedMail({
      action: 'must',
      domain: 'a.example',
      provider: 'Google',
      by: 'ปราณี',
      at,
      url: resetUrl,
    }),
    ['a.example', 'Google', 'ปราณี', TIME, resetUrl],
  ],
  ['bound', renderAccountLinkedMail({ provider: 'Google', at, notMeUrl }), ['Google', TIME, notMeUrl]],
  [
    'other subject',
    renderIdentityMismatchMail({ provider: 'Google', email: 's@a.example', at }),
    ['s@a.example', 'Google', TIME],
  ],
  ['sessions ended', renderSessionsEndedMail({ at, resetUrl }), ['21/11/2569 10:00', resetUrl]],
  ['session copied', renderRefreshTokenReusedMail({ at, resetUrl }), ['21/11/2569 10:00', resetUrl]],
]

test('covers every account mail', () => {
  const makers = Object.keys({
    ...accountMails,
    ...noticeMails,
    ...emailChangeMails,
    ...organisationLoginMails,
  }).filter((name) => name.endsWith('Mail'))
  expect(new Set(MAILS.map(([, { subject }]) => subject)).size).toBe(makers.length)
})

test.each(MAILS)(
  'the mail "%s" has the same content in text and HTML, with one style and no external resources',
  (_, mail, words) => {
    for (const word of words) {
      expect(mail.text).toContain(word)
      expect(mail.html).toContain(word)
    }
    expect(mail.html).toMatch(/^<!doctype html>\n<html lang="th">/)
    expect(mail.html).toContain('prefers-color-scheme: dark')
    expect(mail.html).not.toMatch(/<img|<link|<script|@import|url\(|\ssrc=/)
    expect(mail.text).not.toMatch(/<\/?\w+|undefined/)
  },
)
