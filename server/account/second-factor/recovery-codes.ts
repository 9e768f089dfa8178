import { randomBytes } from 'node:crypto'
import { RECOVERY_CODES } from '#contract/account/second-factor.ts'
import { secretHash } from '#server/platform/route/secret-token.ts'

const SIGNS = 'abcdefghijklmnopqrstuvwxyz234567'
/** 80 random bits, too many to brute-force from stolen hashes. */
const LENGTH = 16

export function newRecoveryCodes(): { readonly shown: string[]; readonly hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    [...randomBytes(LENGTH)].map((byte) => SIGNS[byte % SIGNS.length]).join(''),
  )
  return { shown: codes.map((code) => code.match(/.{4}/g)!.join('-')), hashes: codes.map(recoveryHash) }
}

/** Expects a lower-case code without hyphens. */
export const recoveryHash = (code: string): string => secretHash(`recovery:${code}`)
