import { Secret, TOTP } from 'otpauth'
import type { Db } from '#server/platform/engine/db.ts'
import { createTextCipher, type TextCipher } from '#server/platform/engine/text-cipher.ts'
import { consumeTotpStep, findTotpSecret } from './queries.ts'

/** The default parameters, which every authenticator app supports. */
const TOTP_OPTIONS = { issuer: 'ตามงาน', algorithm: 'SHA1', digits: 6, period: 30 } as const
/**
 * Time steps accepted before and after the current one, because clocks may be half a minute off in either direction.
 */
const DRIFT_STEPS = 1
const SECRET_BYTES = 20

export type TotpSecrets = {
  make(email: string): { readonly secret: string; readonly uri: string; readonly sealed: string }
  stepOf(sealed: string, code: string, now: Date): { readonly step: number; readonly resealed: string } | undefined
}

/** `secrets`: the first one encrypts, all of them decrypt (R14). */
export function createTotpSecrets(secrets: readonly [string, ...string[]]): TotpSecrets {
  const seal: TextCipher = createTextCipher(secrets, 'totp')
  return {
    make(email) {
      const secret = new Secret({ size: SECRET_BYTES })
      const totp = new TOTP({ ...TOTP_OPTIONS, label: email, secret })
      return { secret: secret.base32, uri: totp.toString(), sealed: seal.seal(secret.base32) }
    },
    stepOf(sealed, code, now) {
      const base32 = seal.open(sealed)
      if (base32 === undefined) return undefined
      const totp = new TOTP({ ...TOTP_OPTIONS, secret: Secret.fromBase32(base32) })
      const timestamp = now.getTime()
      const delta = totp.validate({ token: code, timestamp, window: DRIFT_STEPS })
      if (delta === null) return undefined
      return { step: totp.counter({ timestamp }) + delta, resealed: seal.seal(base32) }
    },
  }
}

/** Checks a code. Once accepted, it and all earlier codes are rejected. */
export async function consumeTotpCode(
  db: Db,
  totp: TotpSecrets,
  { userId, code, now, confirmed = true }: { userId: number; code: string; now: Date; confirmed?: boolean },
): Promise<boolean> {
  const stored = await findTotpSecret(db, userId)
  if (!stored || stored.isConfirmed !== confirmed) return false
  const { sealed } = stored
  const match = totp.stepOf(sealed, code, now)
  return match !== undefined && (await consumeTotpStep(db, userId, { sealed, ...match }))
}
