import { describe, expect, test } from 'vitest'
import {
  getSettingsSearch,
  listSettingsTabs,
  resolveSettings,
  type SettingsAccount,
  type SettingsSearch,
} from './settings-address.ts'

const SUPER_USER: SettingsAccount = { role: 'super_user', isBudgetOnly: false, isSecondFactorDue: false }
const MEMBER: SettingsAccount = { ...SUPER_USER, role: 'member_user' }
const partsOf = (account: SettingsAccount) =>
  Object.fromEntries(listSettingsTabs(account).map(({ label, parts }) => [label, parts.map((part) => part.label)]))

/** Follows moves like the page does. */
function follow(search: SettingsSearch, account: SettingsAccount): string {
  const view = resolveSettings(search, account)
  if (view.kind === 'moved') return follow(view.search, account)
  if (view.kind === 'moved-to-report') return `/report#${view.manager}`
  return `${view.tab.value}/${view.part.value}${view.unavailable ? ` lacks ${view.unavailable.lacks}` : ''}`
}

test('a super user has four tabs', () => {
  expect(partsOf(SUPER_USER)).toEqual({
    ฉัน: ['โปรไฟล์', 'ความปลอดภัย', 'การแสดงผล'],
    การแจ้งเตือน: ['การแจ้งเตือน'],
    ทีม: ['สมาชิก', 'ขั้นและรายการตรวจ', 'คุณสมบัติ', 'แพ็กเกจ'],
    เชื่อมต่อ: ['คีย์ API', 'เว็บฮุก'],
  })
})

test('a member has three, with only the package in ทีม', () => {
  expect(partsOf(MEMBER)).toEqual({
    ฉัน: ['โปรไฟล์', 'ความปลอดภัย', 'การแสดงผล'],
    การแจ้งเตือน: ['การแจ้งเตือน'],
    ทีม: ['แพ็กเกจ'],
  })
})

test('a budget-only organisation has nothing of the report', () => {
  const tabs = { ฉัน: ['โปรไฟล์', 'ความปลอดภัย'], การแจ้งเตือน: ['การแจ้งเตือน'] }
  expect(partsOf({ ...MEMBER, isBudgetOnly: true })).toEqual({ ...tabs, ทีม: ['แพ็กเกจ'] })
  expect(partsOf({ ...SUPER_USER, isBudgetOnly: true })).toEqual({ ...tabs, ทีม: ['สมาชิก', 'แพ็กเกจ'] })
})

describe('the thirteen former tabs', () => {
  test.each([
    ['profile', 'me/profile'],
    ['security', 'me/security'],
    ['notifications', 'notifications/notifications'],
    ['saved-filters', '/report#saved-filters'],
    ['labels', '/report#labels'],
    ['columns', '/report#columns'],
    ['display', 'me/display'],
    ['organisation', 'team/package'],
    ['team', 'team/members'],
    ['pursuits', 'team/stages'],
    ['qualification', 'team/qualifications'],
    ['api-keys', 'connect/api-keys'],
    ['webhooks', 'connect/webhooks'],
  ])('%s leads a super user to %s', (tab, address) => {
    expect(follow({ tab }, SUPER_USER)).toBe(address)
  })

  test.each([
    ['pursuits', MEMBER, 'team/package lacks role'],
    ['api-keys', MEMBER, 'me/profile lacks role'],
    ['webhooks', MEMBER, 'me/profile lacks role'],
    ['team', MEMBER, 'team/package'],
    ['columns', { ...MEMBER, isBudgetOnly: true }, 'me/profile lacks package'],
    ['display', { ...MEMBER, isBudgetOnly: true }, 'me/profile lacks package'],
    ['webhooks', { ...SUPER_USER, isBudgetOnly: true }, 'me/profile lacks package'],
    ['team', { ...SUPER_USER, isSecondFactorDue: true }, 'me/security'],
    ['labels', { ...MEMBER, isSecondFactorDue: true }, 'me/security'],
  ] as const)('%s of %o: %s', (tab, account, address) => {
    expect(follow({ tab }, account)).toBe(address)
  })
})

test.each([
  [{ tab: 'nowhere' }, [{ name: 'tab', value: 'nowhere', reason: 'unknown' }]],
  [{ tab: 'team', part: 'nothing' }, [{ name: 'part', value: 'nothing', reason: 'unknown' }]],
  [{ tab: 'team', part: 'package' }, []],
])('%o ignores %o', (search, ignored) => {
  expect(resolveSettings(search, SUPER_USER)).toMatchObject({ kind: 'tab', ignored })
})

test('every part has an address that leads back to it', () => {
  for (const tab of listSettingsTabs(SUPER_USER))
    for (const { value } of tab.parts)
      expect(follow(getSettingsSearch(tab, value), SUPER_USER)).toBe(`${tab.value}/${value}`)
})
