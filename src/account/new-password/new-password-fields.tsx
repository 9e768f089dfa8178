import { Check, Circle } from 'lucide-react'
import { type ComponentProps, useEffect, useState } from 'react'
import { commonPasswords, guessableReason } from '#contract/account/guessable-password.ts'
import { brokenPasswordRules, type PasswordRule } from '#contract/account/new-password.ts'
import { classNames } from '#src/lib/class-names.ts'
import { PasswordField } from '#src/ui/form/password-field.tsx'

/** What a form with a password and its repetition gives for this, as react-hook-form has it. */
type Form = {
  getValues(field: 'confirm_password'): string
  trigger(field: 'confirm_password'): unknown
}

/** The password has changed: checks its repetition again. One that is not typed yet is not wrong yet. */
export function checkRepetition({ getValues, trigger }: Form): void {
  if (getValues('confirm_password') !== '') void trigger('confirm_password')
}

/** From weak to strong; the first is also everything that a rule forbids. */
const STRENGTHS = ['อ่อน', 'พอใช้', 'ดี', 'แข็งแรง'] as const
type Strength = 0 | 1 | 2 | 3

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

type Field = ComponentProps<'input'> & { error?: string | undefined }
type NewPasswordFieldsProps = {
  /** Of the registration, or of every later password. */
  rules: readonly PasswordRule[]
  /** What is typed in the first field, for the rules. */
  value: string
  /** What is known of its owner (e-mail address, names, organisation), whose words must not stand in it. */
  known: readonly string[]
  password: Field
  again: Field
  label?: string
}

/** A password that somebody chooses, with its rules ticking off while it is typed, and once more. */
export function NewPasswordFields({ rules, value, known, password, again, label = 'รหัสผ่าน' }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        {...password}
        label={label}
        autoComplete="new-password"
        hint={
          <>
            <PasswordRules rules={rules} value={value} />
            {/* What is refused is not rated: the refusal says what to mend. */}
            {value !== '' && !password.error && <StrengthMeter rules={rules} value={value} known={known} />}
          </>
        }
      />
      <PasswordField {...again} label={`${label}อีกครั้ง`} autoComplete="new-password" />
    </>
  )
}

type TypedProps = Pick<NewPasswordFieldsProps, 'rules' | 'value' | 'known'>

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

const BAR_LOOKS = ['bg-urgent-solid', 'bg-star', 'bg-accent', 'bg-accent'] as const

let loading: Promise<ReadonlySet<string>> | undefined
/** Asked for when somebody begins to type: 12 kB that no other screen needs. A failure is asked again by the next field. */
function loadCommon(): Promise<ReadonlySet<string>> {
  loading ??= import('#contract/account/common-passwords.txt?raw').then(({ default: list }) => commonPasswords(list))
  loading.catch(() => {
    loading = undefined
  })
  return loading
}

/** The list of common passwords; undefined until it is there. */
function useCommonPasswords(): ReadonlySet<string> | undefined {
  const [common, setCommon] = useState<ReadonlySet<string>>()
  useEffect(() => {
    let isGone = false
    loadCommon().then(
      (list) => !isGone && setCommon(list),
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [])
  return common
}

/**
 * Rates a password as the server does, so it waits until the list of common passwords is there. For a password that the server would refuse it says
 * why.
 */
function StrengthMeter({ rules, value, known }: TypedProps) {
  const common = useCommonPasswords()
  if (!common) return null
  const reason = guessableReason(value, known, common)
  const strength = reason === undefined ? passwordStrength(value, rules) : 0
  return (
    <div className="mt-1.5 flex items-center gap-2 text-xs text-ink-muted">
      {reason === undefined && (
        <span aria-hidden className="flex flex-1 gap-1">
          {STRENGTHS.map((name, step) => (
            <span
              key={name}
              className={classNames(
                'h-1 flex-1 rounded-full',
                step <= strength ? BAR_LOOKS[strength] : 'bg-surface-muted',
              )}
            />
          ))}
        </span>
      )}
      <span role="status" className={reason === undefined ? undefined : 'text-urgent'}>
        {reason ?? `ความแข็งแรง: ${STRENGTHS[strength]}`}
      </span>
    </div>
  )
}
