import { expect, test } from 'vitest'
import { passwordStrength } from './password-strength.ts'

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
  expect(passwordStrength(password)).toBe(strength)
})
