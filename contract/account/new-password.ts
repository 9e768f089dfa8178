/**
 * The rules of new passwords (specification section 5), without zod, so that a strength display costs nothing. Registration names eight
 * special characters; reset, change, and the operator's command ask for a special character and take any. The server also refuses guessable passwords (common ones, also
 * as `P@ssw0rd1`, and words from the e-mail address, the names or the organisation); that answer comes as a field message.
 */
export const NEW_PASSWORD_LENGTH = { min: 8, max: 50 } as const
/** The special characters of which registration needs one. Others may be used beside them. */
const REGISTRATION_SPECIALS = '@$!%*?&#'

export type PasswordRule = {
  readonly code: 'length' | 'upper' | 'lower' | 'digit' | 'special'
  /** What is needed, in words that follow "ต้องมี". */
  readonly label: string
  readonly isMet: (password: string) => boolean
}

/** Characters as people count them: a character outside the first 65,536 is one. Blanks count and are kept. */
const lengthOf = (password: string) => [...password].length

const COMMON_RULES: readonly PasswordRule[] = [
  {
    code: 'length',
    label: `${NEW_PASSWORD_LENGTH.min}–${NEW_PASSWORD_LENGTH.max} ตัวอักษร`,
    isMet: (password) => lengthOf(password) >= NEW_PASSWORD_LENGTH.min && lengthOf(password) <= NEW_PASSWORD_LENGTH.max,
  },
  { code: 'upper', label: 'ตัวพิมพ์ใหญ่ A–Z', isMet: (password) => /[A-Z]/.test(password) },
  { code: 'lower', label: 'ตัวพิมพ์เล็ก a–z', isMet: (password) => /[a-z]/.test(password) },
  { code: 'digit', label: 'ตัวเลข 0–9', isMet: (password) => /[0-9]/.test(password) },
]

/** Step one of the registration. */
export const REGISTRATION_PASSWORD_RULES: readonly PasswordRule[] = [
  ...COMMON_RULES,
  {
    code: 'special',
    label: `อักขระพิเศษ ${[...REGISTRATION_SPECIALS].join(' ')}`,
    isMet: (password) => /[@$!%*?&#]/.test(password),
  },
]

/** Reset, change, and the operator's command: every printable sign that is neither a letter, a digit nor a blank is special. */
export const NEW_PASSWORD_RULES: readonly PasswordRule[] = [
  ...COMMON_RULES,
  {
    code: 'special',
    label: 'อักขระพิเศษอย่างน้อย 1 ตัว เช่น - _ . @ #',
    isMet: (password) => /[\p{P}\p{S}]/u.test(password),
  },
]

/** Rules of the table that this password breaks, in the table's order. */
export function brokenPasswordRules(password: string, rules: readonly PasswordRule[]): PasswordRule[] {
  return rules.filter(({ isMet }) => !isMet(password))
}

/** What is wrong with a new password, as one line for its field; undefined when it keeps every rule of the table. */
export function newPasswordProblem(password: string, rules: readonly PasswordRule[]): string | undefined {
  if (password === '') return 'กรอกรหัสผ่าน'
  if (lengthOf(password) > NEW_PASSWORD_LENGTH.max) return `รหัสผ่านยาวได้ไม่เกิน ${NEW_PASSWORD_LENGTH.max} ตัวอักษร`
  if (lengthOf(password) < NEW_PASSWORD_LENGTH.min) return `รหัสผ่านต้องยาวอย่างน้อย ${NEW_PASSWORD_LENGTH.min} ตัวอักษร`
  const missing = brokenPasswordRules(password, rules).map(({ label }) => label)
  if (missing.length === 0) return undefined
  const last = missing.pop()
  return `รหัสผ่านต้องมี${missing.length === 0 ? last : `${missing.join(' ')} และ${last}`}`
}

export const PASSWORDS_DIFFER = 'รหัสผ่านทั้งสองช่องไม่ตรงกัน'
