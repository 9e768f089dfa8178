import { expect, test } from 'vitest'
import { buildPurchasingUnitFollowName, parseAgencyFromFollowName } from './follow.ts'

test.each([
  [{ agency: 'เทศบาลตำบลดู่', unit: 'กองช่าง', province: 'น่าน' }, 'เทศบาลตำบลดู่ จ.น่าน'],
  [{ agency: 'เทศบาลตำบลดู่', unit: '', province: 'สุรินทร์' }, 'เทศบาลตำบลดู่ จ.สุรินทร์'],
  [{ agency: 'เทศบาลตำบลดู่', unit: 'กองช่าง', province: null }, 'เทศบาลตำบลดู่'],
  [{ agency: 'กรมทางหลวง', unit: 'แขวงทางหลวงน่านที่ 1', province: 'น่าน' }, 'กรมทางหลวง'],
])('finds the agency in the name of the followed %o', (unit, agency) => {
  expect(parseAgencyFromFollowName(buildPurchasingUnitFollowName(unit))).toBe(agency)
  expect(parseAgencyFromFollowName(unit.agency)).toBe(unit.agency)
})
