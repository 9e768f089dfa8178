import type { IdentityProofMethod, SecondFactorInput } from '#contract/account/second-factor.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import {
  type ActionRateLimit,
  consumeActionRateLimit,
  resetActionRateLimit,
} from '#server/platform/route/use-counts.ts'
import { findPasskeyOwner, type PasskeyRelyingParty } from './passkeys.ts'
import { consumeRecoveryCode, findSecondFactors, type StoredSecondFactors } from './queries.ts'
import { hashRecoveryCode } from './recovery-codes.ts'
import { consumeTotpCode, type TotpSecrets } from './totp.ts'

/** `party`: undefined when the installation has no host name; passkeys are then unavailable. */
export type SecondFactorDependencies = {
  readonly db: Db
  readonly totp: TotpSecrets
  readonly party: PasskeyRelyingParty | undefined
  now(): Date
}

/**
 * Three of a million codes are valid at any moment. Five tries per quarter of an hour and fifty per day limit the
 * chance of a guess to one in 6,000 per day, and an attacker needs the password first. Only failures count; a lockout
 * lasts at most a day, and a passkey or a recovery code still works.
 */
const PER_QUARTER_HOUR = { action: 'factor-quarter', maxUses: 5, windowSeconds: 15 * 60, gapSeconds: 0 }
const PER_DAY = { action: 'factor-day', maxUses: 50, windowSeconds: 24 * 60 * 60, gapSeconds: 0 }
const LIMITS: Readonly<Record<'otp' | 'recovery_code', readonly ActionRateLimit[]>> = {
  otp: [PER_QUARTER_HOUR, PER_DAY],
  recovery_code: [
    { ...PER_QUARTER_HOUR, action: 'recovery-quarter' },
    { ...PER_DAY, action: 'recovery-day' },
  ],
}

export const hasSecondFactor = ({
  totpSince,
  passkeys,
}: Pick<StoredSecondFactors, 'totpSince' | 'passkeys'>): boolean => totpSince !== null || passkeys > 0

export async function listIdentityProofMethods(
  { db, party }: Pick<SecondFactorDependencies, 'db' | 'party'>,
  userId: number,
): Promise<IdentityProofMethod[]> {
  const factors = await runWithoutTenant(() => findSecondFactors(db, userId))
  if (!hasSecondFactor(factors)) return ['password']
  const ways: IdentityProofMethod[] = []
  if (factors.totpSince !== null) ways.push('totp')
  if (factors.passkeys > 0 && party) ways.push('passkey')
  if (factors.recoveryLeft > 0) ways.push('recovery')
  return ways
}

export async function createIdentityProofProblem(
  parts: Pick<SecondFactorDependencies, 'db' | 'party'>,
  userId: number,
): Promise<ProblemError> {
  return new ProblemError('proof_needed', { details: { ways: await listIdentityProofMethods(parts, userId) } })
}

const WRONG_FACTOR_TEXTS = {
  otp: 'รหัสไม่ถูกต้องหรือใช้ไปแล้ว รอรหัสถัดไปในแอปแล้วลองอีกครั้ง',
  recovery_code: 'รหัสกู้คืนไม่ถูกต้องหรือใช้ไปแล้ว',
  passkey: 'ยืนยันด้วยพาสคีย์ไม่สำเร็จ ลองอีกครั้งหรือใช้วิธีอื่น',
} as const

export async function checkSecondFactor(
  { db, totp, party, now }: SecondFactorDependencies,
  userId: number,
  { otp, recovery_code, passkey }: SecondFactorInput,
): Promise<Exclude<IdentityProofMethod, 'password'>> {
  const at = now()
  return runWithoutTenant(async () => {
    if (passkey !== undefined) {
      const owner = party && (await findPasskeyOwner({ db, party, now: at }, userId, passkey))
      if (owner !== userId) throw wrong('passkey')
      return 'passkey'
    }
    const field = otp === undefined ? 'recovery_code' : 'otp'
    if (otp === undefined && recovery_code === undefined) throw new ProblemError('bad_input')
    for (const limit of LIMITS[field]) {
      const wait = await consumeActionRateLimit(db, limit, String(userId), at)
      if (wait > 0) throw new ProblemError('too_many_requests', { retryAfterSeconds: wait })
    }
    const isValid =
      otp === undefined
        ? await consumeRecoveryCode(db, userId, hashRecoveryCode(recovery_code!))
        : await consumeTotpCode(db, totp, { userId, code: otp, now: at })
    if (!isValid) throw wrong(field)
    for (const limit of LIMITS[field]) await resetActionRateLimit(db, limit, String(userId))
    return otp === undefined ? 'recovery' : 'totp'
  })
}

const wrong = (field: keyof typeof WRONG_FACTOR_TEXTS) =>
  new ProblemError('bad_input', { text: WRONG_FACTOR_TEXTS[field], fields: { [field]: [WRONG_FACTOR_TEXTS[field]] } })
