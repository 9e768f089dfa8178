import { z } from 'zod/mini'

/**
 * Registration (specification sections 4, 5 and 7) as the client meets it; the schemas of what it sends stand in
 * `registration-form.ts`, which only the form and the server load.
 *
 * 1. POST /auth/register-step-one/ → `register_form_code`, valid for 60 minutes. 400 with field `email` and `errors` when it is taken.
 * 2. POST /auth/register-step-two/ with that code; may be repeated until the end, so Back loses nothing. 400 with fields
 *    `phone`, `organization_name` (and `errors`) when taken; field `register_form_code` when the form has run out: begin again.
 * 3. POST /auth/create-register-otp/ sends the first code and each further one. 429 with `Retry-After` when it is too early
 *    or too often. Step two sends nothing by itself.
 * 4. POST /auth/register-step-final/ → tokens, as a login answers them: the person is logged in. A header `Idempotency-Key`
 *    (R46) makes a repeated call with the same code answer tokens again instead of 400.
 *
 * `check-*-exist`: 200 when free, 400 `{ errors: [message] }` when taken or not well-formed, 429 when asked too often (treat as unknown).
 */

/** Characters of the code that comes by mail (specification section 5). */
export const OTP_LENGTH = 6
/** Seconds between two codes (R19), and how long one is valid (R16). */
export const OTP_RESEND_SECONDS = 60
export const OTP_LIFE_SECONDS = 10 * 60
/** Seconds from step one until everything has to be done (R15). */
export const REGISTRATION_LIFE_SECONDS = 60 * 60
/** Kept with the acceptance, to prove which text was accepted (C32). */
export const TERMS_VERSION = '2569-11'

/** Offered for "how did you hear of us"; the words themselves are sent in `discover_lightwork`, as is anything typed. */
export const DISCOVERY_CHANNELS = [
  'ค้นหาในอินเทอร์เน็ต',
  'เพื่อนหรือคนรู้จักแนะนำ',
  'Facebook',
  'LINE',
  'YouTube',
  'งานสัมมนาหรืองานแสดงสินค้า',
  'พนักงานขายติดต่อมา',
] as const

/** Shown when a uniqueness check fails without a message (specification section 5). */
export const VALIDATION_FAILED = 'Unexpected error during validation.'

export const registerStepOneAnswerSchema = z.object({
  register_form_code: z.string(),
  /** Seconds. */
  expires_in: z.number(),
})
export type RegisterStepOneAnswer = z.output<typeof registerStepOneAnswerSchema>

export const registerStepTwoAnswerSchema = z.object({
  /** Where the code will go, its middle hidden. */
  email: z.string(),
  /** Seconds. */
  expires_in: z.number(),
})
export type RegisterStepTwoAnswer = z.output<typeof registerStepTwoAnswerSchema>

export const registerOtpAnswerSchema = z.object({
  message: z.string(),
  email: z.string(),
  /** Seconds that this code is valid, and until another one may be asked for. */
  expires_in: z.number(),
  resend_after: z.number(),
})
export type RegisterOtpAnswer = z.output<typeof registerOtpAnswerSchema>

/** Answer of a request to join: the same whether there is such an organisation or not. */
export const requestToJoinAnswerSchema = z.object({ message: z.string() })

/** Answer of the three checks when the value is free. */
export const freeAnswerSchema = z.object({ is_available: z.literal(true) })

const businessSubtypeSchema = z.object({
  id: z.number(),
  name: z.string(),
  description: z.nullable(z.string()),
  is_active: z.boolean(),
})
/** `GET /organisations/business-types`, open to everyone: a list of these. Show only those with `is_active`. */
export const businessTypeSchema = z.object({ ...businessSubtypeSchema.shape, subtypes: z.array(businessSubtypeSchema) })
export type BusinessType = z.output<typeof businessTypeSchema>
