import { z } from 'zod/mini'
import { arabicDigits } from '../thai/thai-letters.ts'

/** The second factor of an account, the second step of its login, and showing again who one is (decision 0125). */

/** How long a session counts as shown to be its owner's. */
export const PROOF_MINUTES = 10
/** Days for which a remembered browser is not asked for the second factor. */
export const REMEMBERED_DAYS = 30
/** How many passkeys an account may have. */
export const MOST_PASSKEYS = 10
export const RECOVERY_CODES = 10

/** How somebody shows who they are: with a second factor never by the password alone. */
export const PROOF_WAYS = ['password', 'totp', 'passkey', 'recovery'] as const
export type ProofWay = (typeof PROOF_WAYS)[number]
const wayShape = z.enum(PROOF_WAYS)

/** Thai digits as Latin ones; blanks and hyphens, which people type between groups, gone. */
const plain = (text: string) => arabicDigits(text).replace(/[\s-]/g, '')

/** Six digits of an authenticator app. */
export const totpCodeSchema = z
  .string('กรอกรหัส 6 หลัก')
  .check(z.maxLength(40, 'กรอกรหัส 6 หลัก'), z.overwrite(plain), z.regex(/^\d{6}$/, 'กรอกรหัส 6 หลักจากแอป'))

/** One of the ten codes: 16 letters and digits, with or without hyphens. */
export const recoveryCodeSchema = z.string('กรอกรหัสกู้คืน').check(
  z.maxLength(60, 'รหัสกู้คืนมี 16 ตัว'),
  z.overwrite((text) => plain(text).toLowerCase()),
  z.regex(/^[a-z2-7]{16}$/, 'รหัสกู้คืนมี 16 ตัว เป็นตัวอักษร a–z และเลข 2–7'),
)

/** What the browser made of a passkey; the library checks what is in it. */
const credentialSchema = z.looseObject({
  id: z.string().check(z.minLength(1), z.maxLength(1400)),
  rawId: z.string().check(z.maxLength(1400)),
  type: z.literal('public-key'),
  response: z.record(z.string().check(z.maxLength(60)), z.unknown()),
})

/** One of the four. */
const answerShape = {
  /** The field is called `otp`: in an answer, `code` says why a request was refused. */
  otp: z.optional(totpCodeSchema),
  recovery_code: z.optional(recoveryCodeSchema),
  passkey: z.optional(credentialSchema),
}
export type FactorAnswer = {
  readonly otp?: string | undefined
  readonly recovery_code?: string | undefined
  readonly passkey?: z.output<typeof credentialSchema> | undefined
}

/** `POST /users/me/proof`: the password, or the second factor where there is one. */
export const proofSchema = z.object({
  password: z.optional(z.string().check(z.minLength(1, 'กรอกรหัสผ่าน'), z.maxLength(200))),
  ...answerShape,
})
export type Proof = z.output<typeof proofSchema>

/** What a call that asks for it is refused with when the session was not shown to be its owner's for ten minutes: 403. */
export const PROOF_NEEDED = 'proof_needed'
/** The same where the organisation asks for a second factor and there is none: 403. */
export const SECOND_FACTOR_DUE = 'second_factor_due'
/** The second step came too late, or its login was finished already: 400. */
export const LOGIN_STEP_OVER = 'login_step_over'

/** `POST /auth/login/` of an account with a second factor: in place of the tokens. */
export const secondStepSchema = z.object({
  second_step: z.object({ token: z.string(), ways: z.array(wayShape) }),
})
export type SecondStep = z.output<typeof secondStepSchema>['second_step']

/** `POST /auth/login/second-step/`. `remember`: this browser is not asked again for 30 days. */
export const secondStepAnswerSchema = z.object({
  token: z.string().check(z.minLength(1), z.maxLength(200)),
  remember: z.optional(z.boolean()),
  ...answerShape,
})
export type SecondStepAnswer = z.output<typeof secondStepAnswerSchema>

/** `POST /auth/passkey/options/`: `token` of a second step; without one for a login that begins with the passkey. */
export const passkeyOptionsAskSchema = z.object({ token: z.optional(z.string().check(z.maxLength(200))) })
/** `POST /auth/passkey/`. */
export const passkeyLoginSchema = z.object({ passkey: credentialSchema })

/** What the browser is asked to sign (WebAuthn, JSON form). */
export const webauthnOptionsSchema = z.looseObject({ challenge: z.string() })

/** `GET /users/me/second-factor`. Moments are UTC ISO. */
export const secondFactorSchema = z.object({
  totp: z.nullable(z.object({ since: z.string() })),
  passkeys: z.array(
    z.object({ id: z.number(), name: z.string(), created_at: z.string(), used_at: z.nullable(z.string()) }),
  ),
  /** Whether passkeys can be used at the address of this installation. */
  offers_passkeys: z.boolean(),
  recovery_left: z.number(),
  /** The organisation asks everybody for one. */
  is_required: z.boolean(),
})
export type SecondFactor = z.output<typeof secondFactorSchema>

/** `POST /users/me/totp`: what the app is told, by picture (`uri`) or typed (`secret`). */
export const totpBegunSchema = z.object({ secret: z.string(), uri: z.string() })
export type TotpBegun = z.output<typeof totpBegunSchema>
export const totpConfirmSchema = z.object({ otp: totpCodeSchema })

/** `POST /users/me/passkeys/options`: to add one, or to show with one who one is. */
export const passkeyPurposeSchema = z.object({ purpose: z.enum(['add', 'factor']) })
export const passkeyNameSchema = z
  .string()
  .check(z.trim(), z.minLength(1, 'ตั้งชื่อให้รู้ว่าเป็นเครื่องไหน'), z.maxLength(60, 'ชื่อยาวได้ไม่เกิน 60 ตัวอักษร'))
/** `POST /users/me/passkeys`. */
export const newPasskeySchema = z.object({ name: passkeyNameSchema, passkey: credentialSchema })

/** Told this once; null where the account has codes already. */
export const recoveryCodesSchema = z.object({ recovery_codes: z.nullable(z.array(z.string())) })

/** `GET /users/me/devices`: browsers that are not asked for the second factor, the last used first. */
export const devicesSchema = z.object({
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
export type Devices = z.output<typeof devicesSchema>

/** `PUT /organisations/me/second-factor`. */
export const requireSecondFactorSchema = z.object({ is_required: z.boolean() })

/** `GET /auth/not-me/{token}`: whose mail it was, the middle hidden. `POST` of it: the token of a new password's link. */
export const notMeSchema = z.object({ email: z.string() })
/** `ended`: what was in force and is over, in Thai. `closed_accounts`: came in by invitations of that time; a super user opens them again. */
export const notMeDoneSchema = z.object({
  reset_token: z.string(),
  ended: z.array(z.string()),
  closed_accounts: z.array(z.object({ name: z.nullable(z.string()), email: z.string(), role: z.string() })),
})
export type NotMeDone = z.output<typeof notMeDoneSchema>
