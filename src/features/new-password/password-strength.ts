import { brokenPasswordRules, type PasswordRule } from '#contract/new-password.ts'

/** From weak to strong; the first is also everything that a rule forbids. */
export const STRENGTHS = ['อ่อน', 'พอใช้', 'ดี', 'แข็งแรง'] as const
export type Strength = 0 | 1 | 2 | 3

/** Runs that a guesser tries first. */
const RUNS = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiop', 'asdfghjkl']
const RUN_LENGTH = 4

function hasRun(password: string): boolean {
  const text = password.toLowerCase()
  return RUNS.some((run) => {
    for (let from = 0; from + RUN_LENGTH <= run.length; from++) {
      if (text.includes(run.slice(from, from + RUN_LENGTH))) return true
    }
    return false
  })
}

/**
 * How hard a password is to guess, for the display beside the field: a hint, not a rule. Length counts most; characters that come
 * again and keyboard runs count for nothing.
 */
export function passwordStrength(password: string, rules: readonly PasswordRule[]): Strength {
  if (brokenPasswordRules(password, rules).length > 0) return 0
  const different = new Set(password.toLowerCase()).size
  const worth = different - (hasRun(password) ? RUN_LENGTH : 0)
  return worth >= 12 ? 3 : worth >= 10 ? 2 : worth >= 6 ? 1 : 0
}
