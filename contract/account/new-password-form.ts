import { z } from 'zod/mini'
import {
  NEW_PASSWORD_RULES,
  newPasswordProblem,
  PASSWORDS_DIFFER,
  type PasswordRule,
  REGISTRATION_PASSWORD_RULES,
} from './new-password.ts'

/** A password that somebody chooses. Never trimmed: blanks are characters of it. */
const passwordBy = (rules: readonly PasswordRule[]) =>
  z.string('กรอกรหัสผ่าน').check((context) => {
    const problem = newPasswordProblem(context.value, rules)
    if (problem !== undefined) {
      context.issues.push({ code: 'custom', input: context.value, message: problem, continue: true })
    }
  })
export const registrationPasswordSchema = passwordBy(REGISTRATION_PASSWORD_RULES)
/** Of a reset or a change. */
export const newPasswordSchema = passwordBy(NEW_PASSWORD_RULES)

/** The repetition beside it, in `confirm_password`; that both are equal is checked by `passwordsAgree`. */
export const passwordAgainSchema = z.string('กรอกรหัสผ่านอีกครั้ง').check(z.minLength(1, 'กรอกรหัสผ่านอีกครั้ง'))

type WithRepetition<Field extends string> = Record<Field | 'confirm_password', string>

/** Check of a form: the repetition equals the password in `field`. The message stands at the repetition. */
export const passwordsAgree = <Field extends string>(field: Field) =>
  z.refine<WithRepetition<Field>>((form) => form[field] === form.confirm_password, {
    message: PASSWORDS_DIFFER,
    path: ['confirm_password'],
    // Also while another field is still wrong; an empty repetition has its own message.
    when: ({ value }) => {
      const repetition = (value as Partial<WithRepetition<Field>> | null)?.confirm_password
      return typeof repetition === 'string' && repetition !== ''
    },
  })
