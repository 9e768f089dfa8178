import { readFileSync } from 'node:fs'
import { parseCommonPasswords, getGuessablePasswordReason as reasonBy } from '#contract/account/guessable-password.ts'

const COMMON = parseCommonPasswords(
  readFileSync(new URL('../../../contract/account/common-passwords.txt', import.meta.url), 'utf8'),
)

export const findGuessablePasswordReason = (
  password: string,
  personalTexts: readonly string[] = [],
): string | undefined => reasonBy(password, personalTexts, COMMON)
