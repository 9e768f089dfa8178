import { expect, test } from 'vitest'
import { findGuessablePasswordReason } from './guessable-reason.ts'

test.each([
  'Password1!',
  'P@ssw0rd1',
  'P@$$w0rd!',
  '!Qwerty123',
  'Iloveyou#1',
  'Welcome1!',
  'Dragon2569#',
  'Sawasdee1!',
  'Thailand#1',
  '1Qaz2wsx!',
])('R2: %s is refused as common', (password) => {
  expect(findGuessablePasswordReason(password)).toMatch(/มีคนใช้กันมาก/)
})

test('R2: refuses a few characters repeated, with that reason', () => {
  expect(findGuessablePasswordReason('Aaaaaa1!')).toMatch(/ซ้ำตัวเดิม/)
})

test.each(['Ta7#mngn', 'Kluay-5-Wan#', 'Ngaan#Klong7Chum', 'กรุงเทพAa1!x', 'Zq8*vbnrT', 'Dragon#Boat7Lake'])(
  'R2: %s is accepted',
  (password) => {
    expect(findGuessablePasswordReason(password)).toBeUndefined()
  },
)

test.each([
  ['Tharamek#25', 'manager@tharamek.example'],
  ['Thar@mek#25', 'manager@tharamek.example'],
  ['xManager7#', 'manager@tharamek.example'],
  ['Aa1!เนินทราย', 'บริษัท เนินทราย จำกัด'],
])('R2: %s is refused for the user known as %s', (password, personalText) => {
  expect(findGuessablePasswordReason(password, [personalText])).toMatch(/จากอีเมลหรือชื่อ/)
  expect(findGuessablePasswordReason(password, ['somebody@else.example'])).toBeUndefined()
})

test('ignores short words and numbers of an address', () => {
  expect(findGuessablePasswordReason('Coth2569#x', ['ab@x.co.th', '2569'])).toBeUndefined()
})
