import { readFileSync } from 'node:fs'
import { commonPasswords, guessableReason as reasonBy } from '#contract/account/guessable-password.ts'

const COMMON = commonPasswords(
  readFileSync(new URL('../../../contract/account/common-passwords.txt', import.meta.url), 'utf8'),
)

/** Why others would guess a new password, in Thai, by all that the server knows of its owner; undefined when nothing gives it away. */
export const guessableReason = (password: string, known: readonly string[] = []): string | undefined =>
  reasonBy(password, known, COMMON)
