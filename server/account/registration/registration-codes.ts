import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { REGISTRATION_OTP_LENGTH } from '#contract/account/registration.ts'
import { hashSecret } from '#server/platform/route/secret-token.ts'

/** Returns a form code of 128 bits (R15). Only the hash is stored, so a database copy opens no form. */
export function generateRegistrationFormCode(): { code: string; hash: string } {
  const code = randomBytes(16).toString('base64url')
  return { code, hash: hashSecret(code) }
}

/** Returns a uniformly distributed code, so that no code is likelier than another (R16). */
export const generateOtp = (): string =>
  String(randomInt(10 ** REGISTRATION_OTP_LENGTH)).padStart(REGISTRATION_OTP_LENGTH, '0')

/**
 * Returns a keyed hash, so that the million possible codes cannot be tried against a database copy; bound to its form
 * (R16).
 */
export function hashOtp(otp: string, formHash: string, secret: string): string {
  return createHmac('sha256', secret).update(`otp:${formHash}:${otp}`).digest('base64url')
}

export function isOtpValid(otp: string, formHash: string, stored: string | null, secrets: readonly string[]): boolean {
  const expected = Buffer.from(stored ?? '')
  return secrets.some((secret) => {
    const actual = Buffer.from(hashOtp(otp, formHash, secret))
    return actual.length === expected.length && timingSafeEqual(actual, expected)
  })
}
