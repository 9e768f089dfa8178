import { expect, test } from 'vitest'
import { toAgencyKey } from './trait-tokens.ts'

test.each(['อบต.ดู่', 'องค์การบริหารส่วนตำบลดู่', 'ศูนย์พัฒนาเด็กเล็กบ้านดู่', 'วิทยาลัยเทคนิคดู่'])(
  '%s is another agency in each province',
  (name) => {
    expect(toAgencyKey(name, 55)).not.toBe(toAgencyKey(name, 32))
    expect(toAgencyKey(name, 55)).toBe(toAgencyKey(name, 55))
  },
)

test('a department is one agency in all provinces', () => {
  expect(toAgencyKey('กรมทางหลวง', 55)).toBe(toAgencyKey('กรมทางหลวง', null))
})
