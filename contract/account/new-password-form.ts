import { z } from 'zod/mini'
import {
  findNewPasswordProblem,
  NEW_PASSWORD_RULES,
  PASSWORDS_DIFFER_MESSAGE,
  type PasswordRule,
  REGISTRATION_PASSWORD_RULES,
} from './new-password.ts'

/** Passwords are never trimmed, because spaces are part of the password. */
const passwordSchemaFor = (rules: readonly PasswordRule[]) =>
  z.string('กรอกรหัสผ่าน').check((context) => {
    const problem = findNewPasswordProblem(context.value, rules)
    if (problem !== undefined) {
      context.issues.push({ code: 'custom', input: context.value, message: problem, continue: true })
    }
  })
export const registrationPasswordSchema = passwordSchemaFor(REGISTRATION_PASSWORD_RULES)
export const newPasswordSchema = passwordSchemaFor(NEW_PASSWORD_RULES)

export const repeatedPasswordSchema = z.string('กรอกรหัสผ่านอีกครั้ง').check(z.minLength(1, 'กรอกรหัสผ่านอีกครั้ง'))

type WithConfirmation<Field extends string> = Record<Field | 'confirm_password', string>

export const createPasswordsMatchCheck = <Field extends string>(field: Field) =>
  z.refine<WithConfirmation<Field>>((form) => form[field] === form.confirm_password, {
    message: PASSWORDS_DIFFER_MESSAGE,
    path: ['confirm_password'],
    // Runs even while other fields are invalid. An empty second password has its own message.
    when: ({ value }) => {
      const repetition = (value as Partial<WithConfirmation<Field>> | null)?.confirm_password
      return typeof repetition === 'string' && repetition !== ''
    },
  })
