import { z } from 'zod/mini'
import { createPasswordsMatchCheck, registrationPasswordSchema, repeatedPasswordSchema } from './new-password-form.ts'
import { firstNameSchema, lastNameSchema } from './person-name.ts'
import { REGISTRATION_OTP_LENGTH } from './registration.ts'
import { loginRequestSchema } from './session.ts'
import { findPhoneProblem, normaliseDigits, normaliseName, normalisePhone } from './typed-text.ts'

/**
 * Request bodies of registration (specification sections 5 and 7), which also validate the form of each step.
 * `registrationStepOneFormSchema` adds the repeated password, which stays in the browser. Loaded by the form and the server
 * only.
 */

/** Rejects control characters and lone surrogates, which the database cannot store as text. */
const isPlain = (text: string) => !/[\p{Cc}\p{Cs}]/u.test(text)

/** Basic e-mail pattern, checked in the browser first. Characters with a meaning in mail headers are refused (R35). */
export const registrationEmailSchema = loginRequestSchema.shape.email.check(
  z.refine<string>((email) => !/[<>()[\]\\,;:"\p{Cf}\p{Cc}\p{Cs}]/u.test(email), {
    message: 'รูปแบบอีเมลไม่ถูกต้อง เช่น name@company.co.th',
    when: ({ issues }) => issues.length === 0,
  }),
)

const phoneSchema = z.string('กรอกเบอร์โทรศัพท์').check(
  z.overwrite(normalisePhone),
  z.minLength(1, 'กรอกเบอร์โทรศัพท์'),
  z.refine((phone) => phone === '' || findPhoneProblem(phone) === undefined, {
    error: ({ input }) => findPhoneProblem(String(input)) ?? '',
  }),
)

const organisationNameSchema = z.string('กรอกชื่อองค์กร').check(
  z.overwrite(normaliseName),
  z.minLength(1, 'กรอกชื่อองค์กร'),
  z.refine((name) => name === '' || name.length >= 5, 'ชื่อองค์กรต้องยาวอย่างน้อย 5 ตัวอักษร'),
  z.maxLength(200, 'ชื่อองค์กรยาวได้ไม่เกิน 200 ตัวอักษร'),
  z.refine((name) => name.length < 5 || /[A-Za-zก-ฮ]/u.test(name), 'ชื่อองค์กรต้องมีตัวอักษรไทยหรืออังกฤษ'),
  z.refine(isPlain, 'ชื่อองค์กรมีอักขระที่ใช้ไม่ได้'),
)

const registrationOtpSchema = z.string('กรอกรหัส 6 หลักจากอีเมล').check(
  z.overwrite(normaliseDigits),
  z.minLength(1, 'กรอกรหัส 6 หลักจากอีเมล'),
  z.refine((otp) => otp === '' || otp.length === REGISTRATION_OTP_LENGTH, `รหัสต้องมี ${REGISTRATION_OTP_LENGTH} หลัก`),
)

const formCodeSchema = z
  .string('เริ่มสมัครใหม่อีกครั้ง')
  .check(z.minLength(1, 'เริ่มสมัครใหม่อีกครั้ง'), z.maxLength(100, 'เริ่มสมัครใหม่อีกครั้ง'))

/** `work` is the proof of work (`email-proof-of-work.ts`); calls without it have a lower rate limit. */
export const emailCheckRequestSchema = z.object({ email: registrationEmailSchema, work: z.optional(z.unknown()) })
export const phoneCheckRequestSchema = z.object({ phone: phoneSchema })
/** The client sends only names of 1 to 200 characters to this check, without applying the other name rules first. */
export const organisationCheckRequestSchema = z.object({
  organizename: z
    .string('กรอกชื่อองค์กร')
    .check(
      z.overwrite(normaliseName),
      z.minLength(1, 'กรอกชื่อองค์กร'),
      z.maxLength(200, 'ชื่อองค์กรยาวได้ไม่เกิน 200 ตัวอักษร'),
      z.refine(isPlain, 'ชื่อองค์กรมีอักขระที่ใช้ไม่ได้'),
    ),
})

/**
 * POST /auth/register-step-one/. `query_string` and `client_info` record how the visitor arrived, as text or an object,
 * truncated to 2 kB (C27).
 */
export const registrationStepOneSchema = z.object({
  query_string: z.nullish(z.string()),
  client_info: z.nullish(z.union([z.string(), z.record(z.string(), z.unknown())])),
  email: registrationEmailSchema,
  password: registrationPasswordSchema,
  terms_accepted: z.literal(true, 'ต้องยอมรับข้อกำหนดการใช้งานก่อนสมัคร'),
})
export type RegistrationStepOne = z.output<typeof registrationStepOneSchema>

export const registrationStepOneFormSchema = z
  .object({
    email: registrationEmailSchema,
    password: registrationPasswordSchema,
    confirm_password: repeatedPasswordSchema,
    terms_accepted: z.literal(true, 'ต้องยอมรับข้อกำหนดการใช้งานก่อนสมัคร'),
  })
  .check(createPasswordsMatchCheck('password'))

const STEP_TWO_FIELDS = {
  organization_name: organisationNameSchema,
  firstname: firstNameSchema,
  lastname: lastNameSchema,
  phone: phoneSchema,
  organization_option: z.nullish(
    z.array(z.number('เลือกประเภทธุรกิจจากรายการ')).check(z.maxLength(50, 'เลือกประเภทธุรกิจได้ไม่เกิน 50 รายการ')),
  ),
  discover_lightwork: z
    .string('เลือกช่องทางที่รู้จักเรา')
    .check(
      z.trim(),
      z.minLength(1, 'เลือกช่องทางที่รู้จักเรา'),
      z.maxLength(200, 'ช่องทางที่รู้จักเรายาวได้ไม่เกิน 200 ตัวอักษร'),
      z.refine(isPlain, 'ช่องทางที่รู้จักเรามีอักขระที่ใช้ไม่ได้'),
    ),
}
export const registrationStepTwoSchema = z.object({ register_form_code: formCodeSchema, ...STEP_TWO_FIELDS })
export type RegistrationStepTwo = z.output<typeof registrationStepTwoSchema>
export const registrationStepTwoFormSchema = z.object(STEP_TWO_FIELDS)
export type RegistrationStepTwoForm = z.output<typeof registrationStepTwoFormSchema>

export const joinRequestBodySchema = z.object({
  register_form_code: formCodeSchema,
  organization_name: organisationNameSchema,
  firstname: firstNameSchema,
  lastname: lastNameSchema,
})
export type JoinRequestBody = z.output<typeof joinRequestBodySchema>

export const registrationOtpRequestSchema = z.object({ register_form_code: formCodeSchema })

export const registrationFinalStepSchema = z.object({ register_form_code: formCodeSchema, otp: registrationOtpSchema })
export const registrationFinalStepFormSchema = z.object({ otp: registrationOtpSchema })
