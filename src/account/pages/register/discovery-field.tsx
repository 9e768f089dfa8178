import { useEffect, useId, useRef, useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { DISCOVERY_CHANNELS } from '#contract/account/registration.ts'
import { classNames } from '#src/lib/class-names.ts'

type DiscoveryFieldProps = {
  registration: UseFormRegisterReturn
  value: string
  error: string | undefined
}

const isOffered = (text: string) => (DISCOVERY_CHANNELS as readonly string[]).includes(text)

/**
 * Asks how the user found us. Validated only on submit. Registered by hand: the form library's `Controller` does the
 * same, but adds 1.4 kB to the forms chunk, which /login loads.
 */
export function DiscoveryField({ registration, value, error }: DiscoveryFieldProps) {
  const { name, ref } = registration
  const id = useId()
  const firstRadio = useRef<HTMLInputElement>(null)
  const otherInput = useRef<HTMLInputElement>(null)
  // Receives focus on validation errors. A radio button is not registered for this, because the form would read the
  // value from it.
  const [target] = useState(() => ({ name, focus: () => (otherInput.current ?? firstRadio.current)?.focus() }))
  useEffect(() => ref(target), [ref, target])
  const onChange = (text: string) => void registration.onChange({ target: { name, value: text }, type: 'change' })
  const [isOther, setOther] = useState(value !== '' && !isOffered(value))
  const chosen = isOther ? 'อื่น ๆ' : value
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1 font-medium">คำถามสุดท้าย: รู้จักตามงานจากช่องทางใด</legend>
      <div className="flex flex-wrap gap-1.5">
        {[...DISCOVERY_CHANNELS, 'อื่น ๆ'].map((channel, index) => (
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
              ref={index === 0 ? firstRadio : undefined}
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
          ref={otherInput}
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
