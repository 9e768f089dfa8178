import { describe, expect, test } from 'vitest'
import {
  DISCOVERY_CASES,
  EMAIL_CASES,
  FIRST_NAME_CASES,
  type FieldCase,
  ORGANISATION_NAME_CASES,
  OTP_CASES,
  PASSWORD_CASES,
  PHONE_CASES,
  TERMS_CASES,
} from '../test/account-cases.ts'
import { passwordChangeSchema, passwordResetConfirmationSchema } from './account/password-form.ts'
import {
  registrationFinalStepSchema,
  registrationStepOneFormSchema,
  registrationStepOneSchema,
  registrationStepTwoSchema,
} from './account/registration-form.ts'

const STEP_ONE = { email: 'name@company.co.th', password: 'Ta7#mngn', terms_accepted: true }
const STEP_TWO = {
  register_form_code: 'code',
  organization_name: 'บริษัท ธาราเมฆ จำกัด',
  firstname: 'ปวีณา',
  lastname: 'ธารเมฆา',
  phone: '0812345678',
  organization_option: [1],
  discover_lightwork: 'Facebook',
}

type Checked = { success: boolean; data?: unknown; error?: { issues: { path: PropertyKey[]; message: string }[] } }
type Parses = { safeParse(input: unknown): Checked }
const FIELDS: readonly (readonly [
  form: string,
  schema: Parses,
  valid: object,
  field: string,
  cases: readonly FieldCase[],
])[] = [
  ['step one', registrationStepOneSchema, STEP_ONE, 'email', EMAIL_CASES],
  ['step one', registrationStepOneSchema, STEP_ONE, 'password', PASSWORD_CASES],
  ['step one', registrationStepOneSchema, STEP_ONE, 'terms_accepted', TERMS_CASES],
  ['step two', registrationStepTwoSchema, STEP_TWO, 'organization_name', ORGANISATION_NAME_CASES],
  ['step two', registrationStepTwoSchema, STEP_TWO, 'firstname', FIRST_NAME_CASES],
  ['step two', registrationStepTwoSchema, STEP_TWO, 'lastname', FIRST_NAME_CASES],
  ['step two', registrationStepTwoSchema, STEP_TWO, 'phone', PHONE_CASES],
  ['step two', registrationStepTwoSchema, STEP_TWO, 'discover_lightwork', DISCOVERY_CASES],
  ['final step', registrationFinalStepSchema, { register_form_code: 'code', otp: '123456' }, 'otp', OTP_CASES],
]

describe.each(FIELDS)('%s, %s', (_, schema, valid, field, cases) => {
  test.each(cases)(`${field}: $why ($value)`, ({ value, message, becomes }) => {
    const checked = schema.safeParse({ ...valid, [field]: value })
    const expected = field === 'lastname' ? message?.replace('ชื่อ', 'นามสกุล').replace('สมชาย', 'ใจดี') : message
    const [first] = checked.error?.issues ?? []
    expect(first && [first.path, first.message]).toEqual(expected === undefined ? undefined : [[field], expected])
    if (expected === undefined) expect(checked.data).toMatchObject({ [field]: becomes ?? value })
  })
})

describe('a password set after registration', () => {
  const problemOf = (password: string) => {
    const [change, reset] = [
      passwordChangeSchema.safeParse({ new_password: password, confirm_password: password }),
      passwordResetConfirmationSchema.safeParse({ new_password: password, confirm_password: password }),
    ].map(({ error }) => error?.issues[0]?.message)
    expect(change).toBe(reset)
    return change
  }
  const PRINTABLE = Array.from({ length: 0x7e - 0x20 }, (_, at) => String.fromCharCode(0x21 + at))

  test.each([...PRINTABLE.filter((sign) => !/[A-Za-z0-9]/.test(sign)), '฿', '€', '“', '—', '＃', '😀'])(
    'accepts %s as the special character (specification section 5)',
    (sign) => {
      expect(problemOf(`Ta7mngn${sign}`)).toBeUndefined()
    },
  )

  test.each(['x', '7', 'ก', '๗', ' ', '\u00a0', '\t', 'é'])('does not count %j as a special character', (sign) => {
    expect(problemOf(`Ta7mngn${sign}`)).toMatch(/^รหัสผ่านต้องมีอักขระพิเศษ/)
  })

  test('still enforces the other rules', () => {
    expect(problemOf('Ta7-mng')).toBe('รหัสผ่านต้องยาวอย่างน้อย 8 ตัวอักษร')
    expect(problemOf('ta7-mngn')).toBe('รหัสผ่านต้องมีตัวพิมพ์ใหญ่ A–Z')
  })
})

describe('password confirmation', () => {
  const reset = (confirm_password: unknown, new_password = 'Ta7#mngn') =>
    passwordResetConfirmationSchema
      .safeParse({ new_password, confirm_password })
      .error?.issues.map(({ path, message }) => [path[0], message])

  test('is required and must match', () => {
    expect(reset('Ta7#mngn')).toBeUndefined()
    expect(reset('Ta7#mngN')).toEqual([['confirm_password', 'รหัสผ่านทั้งสองช่องไม่ตรงกัน']])
    expect(reset('')).toEqual([['confirm_password', 'กรอกรหัสผ่านอีกครั้ง']])
    expect(reset(undefined)).toEqual([['confirm_password', 'กรอกรหัสผ่านอีกครั้ง']])
  })

  test('reports a mismatch even while the password itself is invalid', () => {
    expect(reset('x', 'Ta7#mng')).toEqual([
      ['new_password', 'รหัสผ่านต้องยาวอย่างน้อย 8 ตัวอักษร'],
      ['confirm_password', 'รหัสผ่านทั้งสองช่องไม่ตรงกัน'],
    ])
  })

  test('is checked in step one of registration and in the password change', () => {
    const form = registrationStepOneFormSchema.safeParse({ ...STEP_ONE, confirm_password: 'Ta7#mngm' })
    expect(form.error?.issues.map(({ path }) => path)).toEqual([['confirm_password']])
    const change = { new_password: 'Ta7#mngn', confirm_password: 'Ta7#mngm' }
    expect(passwordChangeSchema.safeParse(change).success).toBe(false)
    expect(passwordChangeSchema.safeParse({ ...change, confirm_password: 'Ta7#mngn' }).success).toBe(true)
  })
})

test('client_info accepts text, an object, null or undefined', () => {
  for (const client_info of ['Chrome', { screen: '390x844' }, null, undefined])
    expect(registrationStepOneSchema.safeParse({ ...STEP_ONE, client_info, query_string: '?utm=x' }).success).toBe(true)
  expect(registrationStepOneSchema.safeParse({ ...STEP_ONE, client_info: 7 }).success).toBe(false)
})
