import { readFileSync } from 'node:fs'
import { commonPasswords, guessableReason as reasonBy } from '#contract/account/guessable-password.ts'

const COMMON = commonPasswords(
  readFileSync(new URL('../../../contract/account/common-passwords.txt', import.meta.url), 'utf8'),
)

/**
 * Returns the reason in Thai why a new password is easy to guess, given what the server knows about its owner;
 * undefined if it is not.
 */
export const guessableReason = (password: string, known: readonly string[] = []): string | undefined =>
  reasonBy(password, known, COMMON)
