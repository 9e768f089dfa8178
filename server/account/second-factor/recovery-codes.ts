import { randomBytes } from 'node:crypto'
import { RECOVERY_CODE_COUNT } from '#contract/account/second-factor.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
/** Characters per code: 80 random bits, too many to brute-force from stolen hashes. */
const LENGTH = 16

export function generateRecoveryCodes(): { readonly displayCodes: string[]; readonly hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join(''),
  )
  return { displayCodes: codes.map((code) => code.match(/.{4}/g)!.join('-')), hashes: codes.map(hashRecoveryCode) }
}

export const hashRecoveryCode = (code: string): string => hashSecret(`recovery:${code}`)
