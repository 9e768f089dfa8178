import type { FactorAnswer, ProofWay } from '#contract/account/second-factor.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { asOwner } from '#server/platform/engine/tenant.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import { forgiveUse, reserveUse, type UseLimit } from '#server/platform/route/use-counts.ts'
import { ownerOfPasskey, type RelyingParty } from './passkeys.ts'
import { findFactors, type StoredFactors, spendRecoveryCode } from './queries.ts'
import { recoveryHash } from './recovery-codes.ts'
import { type TotpSecrets, totpFits } from './totp.ts'

/** `party`: undefined when the installation has no host name; passkeys are then unavailable. */
export type FactorParts = {
  readonly db: Db
  readonly totp: TotpSecrets
  readonly party: RelyingParty | undefined
  now(): Date
}

/**
 * Three of a million codes are valid at any moment. Five tries per quarter of an hour and fifty per day limit the
 * chance of a guess to one in 6,000 per day, and an attacker needs the password first. Only failures count; a lockout
 * lasts at most a day, and a passkey or a recovery code still works.
 */
const BY_QUARTER = { action: 'factor-quarter', most: 5, windowSeconds: 15 * 60, gapSeconds: 0 }
const BY_DAY = { action: 'factor-day', most: 50, windowSeconds: 24 * 60 * 60, gapSeconds: 0 }
const LIMITS: Readonly<Record<'otp' | 'recovery_code', readonly UseLimit[]>> = {
  otp: [BY_QUARTER, BY_DAY],
  recovery_code: [
    { ...BY_QUARTER, action: 'recovery-quarter' },
    { ...BY_DAY, action: 'recovery-day' },
  ],
}

export const hasFactor = ({ totpSince, passkeys }: Pick<StoredFactors, 'totpSince' | 'passkeys'>): boolean =>
  totpSince !== null || passkeys > 0

/** Returns how a user can verify, preferred way first: the second factor, or the password without one. */
export async function waysOf({ db, party }: Pick<FactorParts, 'db' | 'party'>, userId: number): Promise<ProofWay[]> {
  const factors = await asOwner(() => findFactors(db, userId))
  if (!hasFactor(factors)) return ['password']
  const ways: ProofWay[] = []
  if (factors.totpSince !== null) ways.push('totp')
  if (factors.passkeys > 0 && party) ways.push('passkey')
  if (factors.recoveryLeft > 0) ways.push('recovery')
  return ways
}

/** Returns the error that requests re-verification and lists the ways (R64). */
export async function proofNeeded(parts: Pick<FactorParts, 'db' | 'party'>, userId: number): Promise<ProblemError> {
  return new ProblemError('proof_needed', { details: { ways: await waysOf(parts, userId) } })
}

const WRONG = {
  otp: 'รหัสไม่ถูกต้องหรือใช้ไปแล้ว รอรหัสถัดไปในแอปแล้วลองอีกครั้ง',
  recovery_code: 'รหัสกู้คืนไม่ถูกต้องหรือใช้ไปแล้ว',
  passkey: 'ยืนยันด้วยพาสคีย์ไม่สำเร็จ ลองอีกครั้งหรือใช้วิธีอื่น',
} as const

/**
 * Checks a single-use code, recovery code or passkey and returns which it was.
 * @throws ProblemError at the wrong field, `too_many_requests` after too many failures.
 */
export async function checkFactor(
  { db, totp, party, now }: FactorParts,
  userId: number,
  { otp, recovery_code, passkey }: FactorAnswer,
): Promise<Exclude<ProofWay, 'password'>> {
  const at = now()
  return asOwner(async () => {
    if (passkey !== undefined) {
      const owner = party && (await ownerOfPasskey({ db, party, now: at }, userId, passkey))
      if (owner !== userId) throw wrong('passkey')
      return 'passkey'
    }
    const field = otp === undefined ? 'recovery_code' : 'otp'
    if (otp === undefined && recovery_code === undefined) throw new ProblemError('bad_input')
    for (const limit of LIMITS[field]) {
      const wait = await reserveUse(db, limit, String(userId), at)
      if (wait > 0) throw new ProblemError('too_many_requests', { retryAfterSeconds: wait })
    }
    const fits =
      otp === undefined
        ? await spendRecoveryCode(db, userId, recoveryHash(recovery_code!))
        : await totpFits(db, totp, { userId, code: otp, now: at })
    if (!fits) throw wrong(field)
    for (const limit of LIMITS[field]) await forgiveUse(db, limit, String(userId))
    return otp === undefined ? 'recovery' : 'totp'
  })
}

const wrong = (field: keyof typeof WRONG) =>
  new ProblemError('bad_input', { text: WRONG[field], fields: { [field]: [WRONG[field]] } })
