import { readFileSync } from 'node:fs'
import { commonPasswords, guessablePasswordReason as reasonBy } from '#contract/account/guessable-password.ts'

const COMMON = commonPasswords(
  readFileSync(new URL('../../../contract/account/common-passwords.txt', import.meta.url), 'utf8'),
)

export const guessableReason = (password: string, personalTexts: readonly string[] = []): string | undefined =>
  reasonBy(password, personalTexts, COMMON)
