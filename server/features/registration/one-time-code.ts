import { OTP_LIFE_SECONDS, OTP_RESEND_SECONDS, type RegisterOtpAnswer } from '#contract/registration.ts'
import { reserveUse, type UseLimit } from '#server/db/use-counts.ts'
import { alreadyRegisteredMail, registerOtpMail } from '#server/mail/account-mails.ts'
import { ProblemError } from '#server/route/problem.ts'
import { hiddenEmail } from '#server/text/hidden-email.ts'
import { hashOf, newOtp, otpHash } from './form-code.ts'
import { storeOtp } from './queries.ts'
import { isEmailTaken } from './queries-account.ts'
import type { RegistrationContext } from './registration-context.ts'
import { openRegistration } from './steps.ts'

/** R19: 60 s between two codes, five for a form, ten for an address and day. */
const PER_FORM: UseLimit = { action: 'otp-form', most: 5, windowSeconds: 60 * 60, gapSeconds: OTP_RESEND_SECONDS }
const PER_ADDRESS: UseLimit = { action: 'otp-mail', most: 10, windowSeconds: 24 * 60 * 60, gapSeconds: 0 }

/**
 * Sends a new code for a registration whose second step is done; the one before dies. Throws ProblemError `too_many_requests` with the
 * seconds to wait, or 400 when the steps are out of order.
 */
export async function createOtp(context: RegistrationContext, formCode: string): Promise<RegisterOtpAnswer> {
  const { db, now, mails, secrets, enumeration } = context
  const codeHash = hashOf(formCode)
  const { email, emailKey, hasOrganisation } = await openRegistration(context, codeHash)
  if (!hasOrganisation) {
    const text = 'กรอกข้อมูลองค์กรก่อน แล้วจึงขอรหัส'
    throw new ProblemError('bad_input', { text, fields: { register_form_code: [text] } })
  }
  const at = now()
  const wait = (await reserveUse(db, PER_FORM, codeHash, at)) || (await reserveUse(db, PER_ADDRESS, emailKey, at))
  if (wait > 0) throw tooEarly(wait)
  const isTaken = enumeration === 'strict' && (await isEmailTaken(db, emailKey))
  const otp = newOtp()
  const expiresAt = new Date(at.getTime() + OTP_LIFE_SECONDS * 1000)
  const content = isTaken
    ? alreadyRegisteredMail({ loginUrl: mails.link('/login'), resetUrl: mails.link('/reset-password') })
    : registerOtpMail({ otp, minutes: OTP_LIFE_SECONDS / 60 })
  await db.transaction(async (tx) => {
    // For a taken address there is no code that fits.
    await storeOtp(tx, codeHash, { hash: isTaken ? null : otpHash(otp, codeHash, secrets[0]), expiresAt }, at)
    await mails.queue(
      tx,
      { kind: isTaken ? 'already_registered' : 'register_otp', to: email, content, notAfter: expiresAt },
      at,
    )
  })
  return {
    message: 'ส่งรหัสไปทางอีเมลแล้ว',
    email: hiddenEmail(email),
    expires_in: OTP_LIFE_SECONDS,
    resend_after: OTP_RESEND_SECONDS,
  }
}

function tooEarly(seconds: number): ProblemError {
  const wait =
    seconds <= 90
      ? `${seconds} วินาที`
      : seconds < 5400
        ? `${Math.ceil(seconds / 60)} นาที`
        : `${Math.ceil(seconds / 3600)} ชั่วโมง`
  return new ProblemError('too_many_requests', { text: `ขอรหัสใหม่ได้ในอีก ${wait}`, retryAfterSeconds: seconds })
}
