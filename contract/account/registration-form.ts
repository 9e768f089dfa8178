import { z } from 'zod/mini'
import { passwordAgainSchema, passwordsAgree, registrationPasswordSchema } from './new-password-form.ts'
import { firstNameSchema, lastNameSchema } from './person-name.ts'
import { OTP_LENGTH } from './registration.ts'
import { loginRequestSchema } from './session.ts'
import { phoneProblem, typedDigits, typedName, typedPhone } from './typed-text.ts'

/**
 * What registration sends (specification sections 5 and 7). Each schema is at once the body of its call and the form of its step;
 * `registerStepOneFormSchema` adds the repeated password, which stays in the browser. Loaded by the form and the server only.
 */

/** Without control characters and halves of surrogate pairs, which no database stores as text. */
const isPlain = (text: string) => !/[\p{Cc}\p{Cs}]/u.test(text)

/** A basic e-mail pattern, checked before the server is asked. Characters that mean something in a mail header are out (R35). */
export const registerEmailSchema = loginRequestSchema.shape.email.check(
  z.refine<string>((email) => !/[<>()[\]\\,;:"\p{Cf}\p{Cc}\p{Cs}]/u.test(email), {
    message: 'รูปแบบอีเมลไม่ถูกต้อง เช่น name@company.co.th',
    when: ({ issues }) => issues.length === 0,
  }),
)

/** 0 and 8 or 9 more digits. Thai digits, separators and the country code are read; the rest is refused with its reason. */
export const phoneSchema = z.string('กรอกเบอร์โทรศัพท์').check(
  z.overwrite(typedPhone),
  z.minLength(1, 'กรอกเบอร์โทรศัพท์'),
  z.refine((phone) => phone === '' || phoneProblem(phone) === undefined, {
    error: ({ input }) => phoneProblem(String(input)) ?? '',
  }),
)

export const organisationNameSchema = z.string('กรอกชื่อองค์กร').check(
  z.overwrite(typedName),
  z.minLength(1, 'กรอกชื่อองค์กร'),
  z.refine((name) => name === '' || name.length >= 5, 'ชื่อองค์กรต้องยาวอย่างน้อย 5 ตัวอักษร'),
  z.maxLength(200, 'ชื่อองค์กรยาวได้ไม่เกิน 200 ตัวอักษร'),
  z.refine((name) => name.length < 5 || /[A-Za-zก-ฮ]/u.test(name), 'ชื่อองค์กรต้องมีตัวอักษรไทยหรืออังกฤษ'),
  z.refine(isPlain, 'ชื่อองค์กรมีอักขระที่ใช้ไม่ได้'),
)

/** Exactly six characters; Thai digits are read as Arabic ones. */
export const otpSchema = z.string('กรอกรหัส 6 หลักจากอีเมล').check(
  z.overwrite(typedDigits),
  z.minLength(1, 'กรอกรหัส 6 หลักจากอีเมล'),
  z.refine((otp) => otp === '' || otp.length === OTP_LENGTH, `รหัสต้องมี ${OTP_LENGTH} หลัก`),
)

const formCodeSchema = z
  .string('เริ่มสมัครใหม่อีกครั้ง')
  .check(z.minLength(1, 'เริ่มสมัครใหม่อีกครั้ง'), z.maxLength(100, 'เริ่มสมัครใหม่อีกครั้ง'))

/** POST /auth/check-email-exist/, -phone-, -organization-. */
/** `work`: what the browser has worked out (`email-work.ts`); without it the call is answered within a smaller allowance. */
export const checkEmailSchema = z.object({ email: registerEmailSchema, work: z.optional(z.unknown()) })
export const checkPhoneSchema = z.object({ phone: phoneSchema })
/** Skipped by the client outside 1 to 200 characters; the other rules of the name are not its business. */
export const checkOrganisationSchema = z.object({
  organizename: z
    .string('กรอกชื่อองค์กร')
    .check(
      z.overwrite(typedName),
      z.minLength(1, 'กรอกชื่อองค์กร'),
      z.maxLength(200, 'ชื่อองค์กรยาวได้ไม่เกิน 200 ตัวอักษร'),
      z.refine(isPlain, 'ชื่อองค์กรมีอักขระที่ใช้ไม่ได้'),
    ),
})

/** POST /auth/register-step-one/. `query_string` and `client_info` say where the visitor came from: text or an object; cut at 2 kB (C27). */
export const registerStepOneSchema = z.object({
  query_string: z.nullish(z.string()),
  client_info: z.nullish(z.union([z.string(), z.record(z.string(), z.unknown())])),
  email: registerEmailSchema,
  password: registrationPasswordSchema,
  terms_accepted: z.literal(true, 'ต้องยอมรับข้อกำหนดการใช้งานก่อนสมัคร'),
})
export type RegisterStepOne = z.output<typeof registerStepOneSchema>

/** The form of step one: what is typed and ticked. */
export const registerStepOneFormSchema = z
  .object({
    email: registerEmailSchema,
    password: registrationPasswordSchema,
    confirm_password: passwordAgainSchema,
    terms_accepted: z.literal(true, 'ต้องยอมรับข้อกำหนดการใช้งานก่อนสมัคร'),
  })
  .check(passwordsAgree('password'))
export type RegisterStepOneForm = z.output<typeof registerStepOneFormSchema>

/** What step two asks for. `organization_option`: ids of business types and subtypes, any number of them. */
const STEP_TWO = {
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
/** POST /auth/register-step-two/. */
export const registerStepTwoSchema = z.object({ register_form_code: formCodeSchema, ...STEP_TWO })
export type RegisterStepTwo = z.output<typeof registerStepTwoSchema>
/** The form of step two: everything but the form's code. */
export const registerStepTwoFormSchema = z.object(STEP_TWO)
export type RegisterStepTwoForm = z.output<typeof registerStepTwoFormSchema>

/** Body of `POST /auth/request-to-join/`: who asks, and the name of the organisation to join. */
export const requestToJoinSchema = z.object({
  register_form_code: formCodeSchema,
  organization_name: organisationNameSchema,
  firstname: firstNameSchema,
  lastname: lastNameSchema,
})
export type RequestToJoin = z.output<typeof requestToJoinSchema>

/** POST /auth/create-register-otp/. */
export const registerOtpSchema = z.object({ register_form_code: formCodeSchema })

/** POST /auth/register-step-final/. */
export const registerStepFinalSchema = z.object({ register_form_code: formCodeSchema, otp: otpSchema })
/** The form of the final step. */
export const registerStepFinalFormSchema = z.object({ otp: otpSchema })
