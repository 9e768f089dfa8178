import { randomBytes } from 'node:crypto'
import { RECOVERY_CODE_COUNT } from '#contract/account/second-factor.ts'
import { secretHash } from '#server/platform/route/secret-token.ts'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'
/** 80 random bits, too many to brute-force from stolen hashes. */
const LENGTH = 16

export function newRecoveryCodes(): { readonly displayCodes: string[]; readonly hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, () =>
    [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join(''),
  )
  return { displayCodes: codes.map((code) => code.match(/.{4}/g)!.join('-')), hashes: codes.map(recoveryHash) }
}

export const recoveryHash = (code: string): string => secretHash(`recovery:${code}`)
