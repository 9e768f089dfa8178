import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { OTP_LENGTH } from '#contract/account/registration.ts'
import { secretHash } from '#server/platform/route/secret-token.ts'

/** Returns a form code of 128 bits (R15). Only the hash is stored, so a database copy opens no form. */
export function newFormCode(): { code: string; hash: string } {
  const code = randomBytes(16).toString('base64url')
  return { code, hash: secretHash(code) }
}

/** Uniformly distributed (R16). */
export const newOtp = (): string => String(randomInt(10 ** OTP_LENGTH)).padStart(OTP_LENGTH, '0')

/** Keyed, so that the million possible codes cannot be tried against a database copy; bound to its form (R16). */
export function otpHash(otp: string, formHash: string, secret: string): string {
  return createHmac('sha256', secret).update(`otp:${formHash}:${otp}`).digest('base64url')
}

export function isOtpValid(otp: string, formHash: string, stored: string | null, secrets: readonly string[]): boolean {
  const expected = Buffer.from(stored ?? '')
  return secrets.some((secret) => {
    const actual = Buffer.from(otpHash(otp, formHash, secret))
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
}
