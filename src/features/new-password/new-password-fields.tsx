import { Check, Circle } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { PasswordRule } from '#contract/new-password.ts'
import { classNames } from '#src/lib/class-names.ts'
import { PasswordField } from '#src/ui/password-field.tsx'
import { passwordStrength, STRENGTHS } from './password-strength.ts'

type Field = ComponentProps<'input'> & { error?: string | undefined }
type NewPasswordFieldsProps = {
  /** Of the registration, or of every later password. */
  rules: readonly PasswordRule[]
  /** What is typed in the first field, for the rules. */
  value: string
  password: Field
  again: Field
  label?: string
}

/** A password that somebody chooses, with its rules ticking off while it is typed, and once more. */
export function NewPasswordFields({ rules, value, password, again, label = 'รหัสผ่าน' }: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        {...password}
        label={label}
        autoComplete="new-password"
        hint={
          <>
            <PasswordRules rules={rules} value={value} />
            {value !== '' && <StrengthMeter rules={rules} value={value} />}
          </>
        }
      />
      <PasswordField {...again} label={`${label}อีกครั้ง`} autoComplete="new-password" />
    </>
  )
}

type TypedProps = Pick<NewPasswordFieldsProps, 'rules' | 'value'>

function PasswordRules({ rules, value }: TypedProps) {
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

function StrengthMeter({ rules, value }: TypedProps) {
  const strength = passwordStrength(value, rules)
  return (
    <div className="mt-1.5 flex items-center gap-2 text-xs text-ink-muted">
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
      <span role="status">ความแข็งแรง: {STRENGTHS[strength]}</span>
    </div>
  )
}
