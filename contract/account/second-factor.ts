import { z } from 'zod/mini'
import { toArabicDigits } from '../thai/thai-letters.ts'

/**
 * Requests and responses of second factors, the second login step, and the proof of identity within a session (decision
 * 0125).
 */

export const IDENTITY_PROOF_LIFETIME_MINUTES = 10
export const REMEMBERED_DEVICE_LIFETIME_DAYS = 30
export const MAX_PASSKEYS = 10
export const RECOVERY_CODE_COUNT = 10

/** Ways to prove identity. An account with a second factor never accepts the password alone. */
export const IDENTITY_PROOF_METHODS = ['password', 'totp', 'passkey', 'recovery'] as const
export type IdentityProofMethod = (typeof IDENTITY_PROOF_METHODS)[number]
const wayShape = z.enum(IDENTITY_PROOF_METHODS)

const stripSeparators = (text: string) => toArabicDigits(text).replace(/[\s-]/g, '')

const totpCodeSchema = z
  .string('กรอกรหัส 6 หลัก')
  .check(z.maxLength(40, 'กรอกรหัส 6 หลัก'), z.overwrite(stripSeparators), z.regex(/^\d{6}$/, 'กรอกรหัส 6 หลักจากแอป'))

const recoveryCodeSchema = z.string('กรอกรหัสกู้คืน').check(
  z.maxLength(60, 'รหัสกู้คืนมี 16 ตัว'),
  z.overwrite((text) => stripSeparators(text).toLowerCase()),
  z.regex(/^[a-z2-7]{16}$/, 'รหัสกู้คืนมี 16 ตัว เป็นตัวอักษร a–z และเลข 2–7'),
)

/** Credential created by the browser; the WebAuthn library validates its content. */
const credentialSchema = z.looseObject({
  id: z.string().check(z.minLength(1), z.maxLength(1400)),
  rawId: z.string().check(z.maxLength(1400)),
  type: z.literal('public-key'),
  response: z.record(z.string().check(z.maxLength(60)), z.unknown()),
})

const answerShape = {
  /** The field is not named `code`, because `code` in a response is the error code. */
  otp: z.optional(totpCodeSchema),
  recovery_code: z.optional(recoveryCodeSchema),
  passkey: z.optional(credentialSchema),
}
export type SecondFactorInput = {
  readonly otp?: string | undefined
  readonly recovery_code?: string | undefined
  readonly passkey?: z.output<typeof credentialSchema> | undefined
}

/** `POST /users/me/proof`: the password, or the second factor if the account has one. */
export const identityProofSchema = z.object({
  password: z.optional(z.string().check(z.minLength(1, 'กรอกรหัสผ่าน'), z.maxLength(200))),
  ...answerShape,
})
export type IdentityProof = z.output<typeof identityProofSchema>

/**
 * Error codes, status 403. The call requires a proof of identity within the last ten minutes; or the organisation
 * requires a second factor and the account has none.
 */
export const IDENTITY_PROOF_REQUIRED_ERROR_CODE = 'proof_needed'
export const SECOND_FACTOR_REQUIRED_ERROR_CODE = 'second_factor_due'
/** Error code, status 400: the second login step has expired or was already completed. */
export const LOGIN_STEP_EXPIRED_ERROR_CODE = 'login_step_over'

/** `POST /auth/login/` returns this instead of tokens if the account has a second factor. */
export const secondLoginStepSchema = z.object({
  second_step: z.object({ token: z.string(), ways: z.array(wayShape) }),
})
export type SecondLoginStep = z.output<typeof secondLoginStepSchema>['second_step']

/** `POST /auth/login/second-step/`. `remember` skips the second factor in this browser for 30 days. */
export const secondLoginStepRequestSchema = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
  remember: z.optional(z.boolean()),
  ...answerShape,
})
export type SecondLoginStepRequest = z.output<typeof secondLoginStepRequestSchema>

/** `POST /auth/passkey/options/`: `token` of a second step; absent for a login that starts with the passkey. */
export const passkeyOptionsRequestSchema = z.object({ token: z.optional(z.string().check(z.maxLength(200))) })
export const passkeyLoginSchema = z.object({ passkey: credentialSchema })

export const webauthnOptionsSchema = z.looseObject({ challenge: z.string() })

/** `GET /users/me/second-factor`. Times are UTC ISO. */
export const secondFactorStateSchema = z.object({
  totp: z.nullable(z.object({ since: z.string() })),
  passkeys: z.array(
    z.object({ id: z.number(), name: z.string(), created_at: z.string(), used_at: z.nullable(z.string()) }),
  ),
  offers_passkeys: z.boolean(),
  recovery_left: z.number(),
  is_required: z.boolean(),
})
export type SecondFactorState = z.output<typeof secondFactorStateSchema>

export const totpEnrolmentSchema = z.object({ secret: z.string(), uri: z.string() })
export type TotpEnrolment = z.output<typeof totpEnrolmentSchema>
export const totpConfirmationSchema = z.object({ otp: totpCodeSchema })

/** `POST /users/me/passkeys/options`. `add` registers a new passkey; `factor` proves identity with an existing one. */
export const passkeyPurposeSchema = z.object({ purpose: z.enum(['add', 'factor']) })
export const passkeyNameSchema = z
  .string()
  .check(z.trim(), z.minLength(1, 'ตั้งชื่อให้รู้ว่าเป็นเครื่องไหน'), z.maxLength(60, 'ชื่อยาวได้ไม่เกิน 60 ตัวอักษร'))
export const newPasskeySchema = z.object({ name: passkeyNameSchema, passkey: credentialSchema })

/** Recovery codes, returned only once; null if the account already has codes. */
export const recoveryCodesSchema = z.object({ recovery_codes: z.nullable(z.array(z.string())) })

/** `GET /users/me/devices`: browsers that skip the second factor, most recently used first. */
export const rememberedDevicesSchema = z.object({
  devices: z.array(
    z.object({
      id: z.number(),
      device: z.string(),
      address: z.nullable(z.string()),
      used_at: z.string(),
      trusted_until: z.string(),
    }),
  ),
})
export type RememberedDeviceList = z.output<typeof rememberedDevicesSchema>

export const secondFactorRequirementSchema = z.object({ is_required: z.boolean() })

/**
 * `GET /auth/not-me/{token}` returns the partly masked email address; `POST` returns the token of a password reset
 * link.
 */
export const intrusionReportLinkEmailSchema = z.object({ email: z.string() })
/**
 * `ended` lists in Thai what was revoked. `closed_accounts` are accounts that joined through invitations sent in the
 * affected period; a super user can reopen them.
 */
export const intrusionReportResultSchema = z.object({
  reset_token: z.string(),
  ended: z.array(z.string()),
  closed_accounts: z.array(z.object({ name: z.nullable(z.string()), email: z.string(), role: z.string() })),
})
export type IntrusionReportResult = z.output<typeof intrusionReportResultSchema>
