import { expect, test } from 'vitest'
import { NEW_PASSWORD_RULES, REGISTRATION_PASSWORD_RULES } from '#contract/account/new-password.ts'
import { estimatePasswordStrength } from './new-password-fields.tsx'

test.each([
  ['', 0],
  ['password', 0],
  ['Ta7#', 0],
  ['Aa1#Aa1#', 0],
  ['Ta7#mngn', 1],
  ['Abcd1234#', 0],
  ['Tamngan#2569', 2],
  ['Chaophraya#2569!', 3],
] as const)('%s has strength %d', (password, strength) => {
  expect(estimatePasswordStrength(password, REGISTRATION_PASSWORD_RULES)).toBe(strength)
})

test('counts special characters outside the registration set only for later passwords', () => {
  expect(estimatePasswordStrength('Chaophraya-2569!', NEW_PASSWORD_RULES)).toBe(3)
  expect(estimatePasswordStrength('Chaophraya-2569x', NEW_PASSWORD_RULES)).toBe(3)
  expect(estimatePasswordStrength('Chaophraya-2569x', REGISTRATION_PASSWORD_RULES)).toBe(0)
})
