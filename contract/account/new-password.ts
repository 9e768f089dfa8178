/**
 * Rules for new passwords (specification section 5), without zod so that the strength meter stays small. Registration
 * requires one of eight special characters; reset, change and the operator command accept any. The server also refuses
 * guessable passwords (common ones, including variants such as `P@ssw0rd1`, and words from the e-mail address, names or
 * organisation) with a field message.
 */
const NEW_PASSWORD_LENGTH_LIMITS = { min: 8, max: 50 } as const
const REGISTRATION_SPECIALS = '@$!%*?&#'

export type PasswordRule = {
  readonly code: 'length' | 'upper' | 'lower' | 'digit' | 'special'
  /** Requirement, worded to follow "ต้องมี" ("must contain"). */
  readonly label: string
  readonly isMet: (password: string) => boolean
}

/** Counts code points, so a character outside the BMP counts as one. Spaces count. */
const lengthOf = (password: string) => [...password].length

const COMMON_RULES: readonly PasswordRule[] = [
  {
    code: 'length',
    label: `${NEW_PASSWORD_LENGTH_LIMITS.min}–${NEW_PASSWORD_LENGTH_LIMITS.max} ตัวอักษร`,
    isMet: (password) =>
      lengthOf(password) >= NEW_PASSWORD_LENGTH_LIMITS.min && lengthOf(password) <= NEW_PASSWORD_LENGTH_LIMITS.max,
  },
  { code: 'upper', label: 'ตัวพิมพ์ใหญ่ A–Z', isMet: (password) => /[A-Z]/.test(password) },
  { code: 'lower', label: 'ตัวพิมพ์เล็ก a–z', isMet: (password) => /[a-z]/.test(password) },
  { code: 'digit', label: 'ตัวเลข 0–9', isMet: (password) => /[0-9]/.test(password) },
]

export const REGISTRATION_PASSWORD_RULES: readonly PasswordRule[] = [
  ...COMMON_RULES,
  {
    code: 'special',
    label: `อักขระพิเศษ ${[...REGISTRATION_SPECIALS].join(' ')}`,
    isMet: (password) => /[@$!%*?&#]/.test(password),
  },
]

export const NEW_PASSWORD_RULES: readonly PasswordRule[] = [
  ...COMMON_RULES,
  {
    code: 'special',
    label: 'อักขระพิเศษอย่างน้อย 1 ตัว เช่น - _ . @ #',
    isMet: (password) => /[\p{P}\p{S}]/u.test(password),
  },
]

export function findUnmetPasswordRules(password: string, rules: readonly PasswordRule[]): PasswordRule[] {
  return rules.filter(({ isMet }) => !isMet(password))
}

export function findNewPasswordProblem(password: string, rules: readonly PasswordRule[]): string | undefined {
  if (password === '') return 'กรอกรหัสผ่าน'
  if (lengthOf(password) > NEW_PASSWORD_LENGTH_LIMITS.max)
    return `รหัสผ่านยาวได้ไม่เกิน ${NEW_PASSWORD_LENGTH_LIMITS.max} ตัวอักษร`
  if (lengthOf(password) < NEW_PASSWORD_LENGTH_LIMITS.min)
    return `รหัสผ่านต้องยาวอย่างน้อย ${NEW_PASSWORD_LENGTH_LIMITS.min} ตัวอักษร`
  const missing = findUnmetPasswordRules(password, rules).map(({ label }) => label)
  if (missing.length === 0) return undefined
  const last = missing.pop()
  return `รหัสผ่านต้องมี${missing.length === 0 ? last : `${missing.join(' ')} และ${last}`}`
}

export const PASSWORDS_DIFFER_MESSAGE = 'รหัสผ่านทั้งสองช่องไม่ตรงกัน'
