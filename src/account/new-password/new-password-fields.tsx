import { queryOptions, useQuery } from '@tanstack/react-query'
import { Check, Circle } from 'lucide-react'
import type { ComponentProps } from 'react'
import { getGuessablePasswordReason, parseCommonPasswords } from '#contract/account/guessable-password.ts'
import { findUnmetPasswordRules, type PasswordRule } from '#contract/account/new-password.ts'
import { classNames } from '#src/lib/class-names.ts'
import { PasswordField } from '#src/ui/form/password-field.tsx'

const STRENGTHS = ['อ่อน', 'พอใช้', 'ดี', 'แข็งแรง'] as const
type Strength = 0 | 1 | 2 | 3

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
 * Estimates password strength for display; it does not decide whether a password is accepted. Length counts most;
 * repeated characters and keyboard sequences add nothing.
 */
export function estimatePasswordStrength(password: string, rules: readonly PasswordRule[]): Strength {
  if (findUnmetPasswordRules(password, rules).length > 0) return 0
  const different = new Set(password.toLowerCase()).size
  const score = different - (hasRun(password) ? RUN_LENGTH : 0)
  return score >= 12 ? 3 : score >= 10 ? 2 : score >= 6 ? 1 : 0
}

type Field = ComponentProps<'input'> & { error?: string | undefined }
type PasswordForm<Name extends string> = {
  watch(name: Name): string
  getValues(name: 'confirm_password'): string
  trigger(name: 'confirm_password'): unknown
  field(name: Name | 'confirm_password', options?: { onChange: () => void }): Field
}
type NewPasswordFieldsProps<Name extends string> = {
  form: PasswordForm<Name>
  /** Field of the password; that of its confirmation is `confirm_password`. */
  name: Name
  rules: readonly PasswordRule[]
  /** The user's e-mail address, names and organisation, whose words the password must not contain. */
  known: readonly string[]
  label?: string
}

export function NewPasswordFields<Name extends string>({
  form,
  name,
  rules,
  known: personalTexts,
  label = 'รหัสผ่าน',
}: NewPasswordFieldsProps<Name>) {
  const value = form.watch(name)
  const revalidateConfirmation = () => {
    if (form.getValues('confirm_password') !== '') void form.trigger('confirm_password')
  }
  const password = form.field(name, { onChange: revalidateConfirmation })
  return (
    <>
      <PasswordField
        {...password}
        label={label}
        autoComplete="new-password"
        hint={
          <>
            <PasswordRules rules={rules} value={value} />
            {/* Keeps the height of its line, so that the fields below do not move when the list of passwords arrives. */}
            <div className="mt-1.5 flex min-h-4 items-center gap-2 text-xs text-ink-muted">
              {/* No strength for a rejected password; the error explains what to change. */}
              {value !== '' && !password.error && <StrengthMeter rules={rules} value={value} known={personalTexts} />}
            </div>
          </>
        }
      />
      <PasswordField {...form.field('confirm_password')} label={`${label}อีกครั้ง`} autoComplete="new-password" />
    </>
  )
}

type TypedProps = Pick<NewPasswordFieldsProps<string>, 'rules' | 'known'> & { value: string }

function PasswordRules({ rules, value }: Omit<TypedProps, 'known'>) {
  return (
    <ul className="grid gap-x-3 gap-y-0.5 text-xs sm:grid-cols-2">
      {rules.map(({ code, label, isMet }) => {
        const met = isMet(value)
        const Icon = met ? Check : Circle
        return (
          <li
            key={code}
            className={classNames('flex items-center gap-1.5 sm:last:col-span-2', met ? 'text-new' : 'text-ink-muted')}
          >
            <Icon aria-hidden className={classNames('shrink-0', met ? 'size-3.5' : 'mx-0.5 size-2.5')} />
            {label}
            <span className="sr-only">{met ? 'ครบแล้ว' : 'ยังไม่ครบ'}</span>
          </li>
        )
      })}
    </ul>
  )
}

const BAR_CLASSES = ['bg-urgent-solid', 'bg-star', 'bg-accent', 'bg-accent'] as const

/** Loads the list of common passwords when typing starts: 12 kB that no other screen needs. */
const commonPasswordsQuery = queryOptions({
  queryKey: ['common-passwords'] as const,
  queryFn: async () => parseCommonPasswords((await import('#contract/account/common-passwords.txt?raw')).default),
  staleTime: 'static',
})

/**
 * Shows how strong a password is and why it would be rejected. Waits for the common passwords to load, because it
 * applies the same check as the server.
 */
function StrengthMeter({ rules, value, known: personalTexts }: TypedProps) {
  const { data: common } = useQuery(commonPasswordsQuery)
  if (!common) return null
  const reason = getGuessablePasswordReason(value, personalTexts, common)
  const strength = reason === undefined ? estimatePasswordStrength(value, rules) : 0
  return (
    <>
      {reason === undefined && (
        <span aria-hidden className="flex flex-1 gap-1">
          {STRENGTHS.map((name, step) => (
            <span
              key={name}
              className={classNames(
                'h-1 flex-1 rounded-full',
                step <= strength ? BAR_CLASSES[strength] : 'bg-surface-muted',
              )}
            />
          ))}
        </span>
      )}
      <span role="status" className={reason === undefined ? undefined : 'text-urgent'}>
        {reason ?? `ความแข็งแรง: ${STRENGTHS[strength]}`}
      </span>
    </>
  )
}
