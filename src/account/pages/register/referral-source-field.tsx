import { useId, useState } from 'react'
import { type Control, useController } from 'react-hook-form'
import { REFERRAL_SOURCE_SUGGESTIONS } from '#contract/account/registration.ts'
import type { RegistrationStepTwoForm } from '#contract/account/registration-form.ts'
import { classNames } from '#src/lib/class-names.ts'

const isOffered = (text: string) => (REFERRAL_SOURCE_SUGGESTIONS as readonly string[]).includes(text)

/** Asks how the user found us. `onBlur` is not passed on, so that the field is validated only on submit. */
export function ReferralSourceField({ control }: { control: Control<RegistrationStepTwoForm> }) {
  const id = useId()
  const { field, fieldState } = useController({ control, name: 'discover_lightwork' })
  const { name, value, onChange, ref: registerField } = field
  const error = fieldState.error?.message
  const [isOther, setOther] = useState(value !== '' && !isOffered(value))
  const chosen = isOther ? 'อื่น ๆ' : value
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1 font-medium">คำถามสุดท้าย: รู้จักตามงานจากช่องทางใด</legend>
      <div className="flex flex-wrap gap-1.5">
        {[...REFERRAL_SOURCE_SUGGESTIONS, 'อื่น ๆ'].map((channel, index) => (
          <label
            key={channel}
            className={classNames(
              'inline-flex min-h-8 items-center rounded-full border px-3 py-0.5 has-focus-visible:outline-2 has-focus-visible:outline-accent-ink touch:min-h-11',
              chosen === channel
                ? 'border-accent bg-accent-soft font-medium text-accent-ink'
                : 'border-control bg-surface text-ink-muted hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              ref={index === 0 && !isOther ? registerField : undefined}
              value={channel}
              checked={chosen === channel}
              onChange={() => {
                const isOtherChannel = channel === 'อื่น ๆ'
                setOther(isOtherChannel)
                onChange(isOtherChannel ? '' : channel)
              }}
              className="sr-only"
            />
            {channel}
          </label>
        ))}
      </div>
      {isOther && (
        <input
          ref={registerField}
          aria-label="ช่องทางอื่นที่รู้จักตามงาน"
          placeholder="เล่าสั้น ๆ ว่ารู้จักจากที่ไหน"
          maxLength={200}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          className="mt-2 h-9 w-full rounded-control border border-control bg-surface px-3 placeholder:text-ink-faint touch:h-11 touch:text-lg"
        />
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1.5 text-sm text-ink">
          {isOther && value.trim() === '' ? 'เล่าสั้น ๆ ว่ารู้จักจากที่ไหน แล้วสมัครต่อได้เลย' : error}
        </p>
      )}
    </fieldset>
  )
}
