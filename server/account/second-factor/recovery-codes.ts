import { randomBytes } from 'node:crypto'
import { RECOVERY_CODES } from '#contract/account/second-factor.ts'
import { secretHash } from '#server/platform/route/secret-token.ts'

const SIGNS = 'abcdefghijklmnopqrstuvwxyz234567'
/** 80 random bits: nothing that a copy of the hashes could be searched for. */
const LENGTH = 16

/** Ten codes as they are shown, in groups of four, and what is kept of them. */
export function newRecoveryCodes(): { readonly shown: string[]; readonly hashes: string[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    [...randomBytes(LENGTH)].map((byte) => SIGNS[byte % SIGNS.length]).join(''),
  )
  return { shown: codes.map((code) => code.match(/.{4}/g)!.join('-')), hashes: codes.map(recoveryHash) }
}

/** Of a code without hyphens, in small letters. */
export const recoveryHash = (code: string): string => secretHash(`recovery:${code}`)
