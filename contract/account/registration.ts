import { z } from 'zod/mini'

/**
 * Registration (specification sections 4, 5 and 7) as seen by the client; request bodies are in `registration-form.ts`,
 * which only the form and the server load.
 *
 * 1. POST /auth/register-step-one/ → `register_form_code`, valid for 60 minutes. 400 with field `email` and `errors`
 *    when it is taken.
 * 2. POST /auth/register-step-two/ with that code; can be repeated until the end, so Back loses nothing. 400 with
 *    fields `phone`, `organization_name` (and `errors`) when taken; field `register_form_code` when the form has
 *    expired: start over.
 * 3. POST /auth/create-register-otp/ sends the first code and each further one. 429 with `Retry-After` when called too
 *    early or too often. Step two sends no mail.
 * 4. POST /auth/register-step-final/ → tokens, as for a login. With an `Idempotency-Key` header (R46), repeating the
 *    call with the same code returns tokens again instead of 400.
 *
 * `check-*-exist`: 200 when free, 400 `{ errors: [message] }` when taken or malformed, 429 when rate limited (treat as
 * unknown).
 */

/** Number of digits in an emailed registration code (specification section 5). */
export const REGISTRATION_OTP_LENGTH = 6
/** Minimum time between two emailed codes (R19), lifetime of a code (R16) and of a started registration (R15). */
export const REGISTRATION_OTP_RESEND_DELAY_SECONDS = 60
export const REGISTRATION_OTP_LIFETIME_SECONDS = 10 * 60
export const REGISTRATION_LIFETIME_SECONDS = 60 * 60
/** Version of the terms, stored with each acceptance as evidence of what the user accepted (C32). */
export const TERMS_OF_SERVICE_VERSION = '2569-11'

/** Suggestions for "how did you hear of us"; `discover_lightwork` carries the text itself and accepts free input. */
export const REFERRAL_SOURCE_SUGGESTIONS = [
  'ค้นหาในอินเทอร์เน็ต',
  'เพื่อนหรือคนรู้จักแนะนำ',
  'Facebook',
  'LINE',
  'YouTube',
  'งานสัมมนาหรืองานแสดงสินค้า',
  'พนักงานขายติดต่อมา',
] as const

export const VALIDATION_FAILED_MESSAGE = 'Unexpected error during validation.'

export const registrationStepOneResponseSchema = z.object({
  register_form_code: z.string(),
  /** Seconds until the registration expires. */
  expires_in: z.number(),
})
export type RegistrationStepOneResponse = z.output<typeof registrationStepOneResponseSchema>

export const registrationStepTwoResponseSchema = z.object({
  /**
   * `email`: partly masked address that will receive the code. `expires_in`: seconds until the registration expires.
   */
  email: z.string(),
  expires_in: z.number(),
})
export type RegistrationStepTwoResponse = z.output<typeof registrationStepTwoResponseSchema>

export const registrationOtpResponseSchema = z.object({
  message: z.string(),
  email: z.string(),
  /** Seconds until the code expires, and seconds until another code can be requested. */
  expires_in: z.number(),
  resend_after: z.number(),
})
export type RegistrationOtpResponse = z.output<typeof registrationOtpResponseSchema>

/** The response is the same whether or not the organisation exists. */
export const joinRequestResponseSchema = z.object({ message: z.string() })

export const availabilityResponseSchema = z.object({ is_available: z.literal(true) })

const businessSubtypeSchema = z.object({
  id: z.number(),
  name: z.string(),
  description: z.nullable(z.string()),
  is_active: z.boolean(),
})
/** Element of the public `GET /organisations/business-types`. Show only those with `is_active`. */
export const businessTypeSchema = z.object({ ...businessSubtypeSchema.shape, subtypes: z.array(businessSubtypeSchema) })
export type BusinessType = z.output<typeof businessTypeSchema>
