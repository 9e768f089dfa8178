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
 * How somebody heard of us: one of the words offered, or their own. Registered by hand: the `Controller` of the form library does the same, but
 * would weigh 1.4 kB in the chunk of forms, which /login loads.
 */
export function DiscoveryField({ registration, value, error }: DiscoveryFieldProps) {
  const { name, ref } = registration
  const id = useId()
  const first = useRef<HTMLInputElement>(null)
  // The form focuses the field that it refuses. It gets no radio button, because it would read the value from that.
  const [target] = useState(() => ({ name, focus: () => first.current?.focus() }))
  useEffect(() => ref(target), [ref, target])
  const onChange = (text: string) => void registration.onChange({ target: { name, value: text }, type: 'change' })
  const onBlur = () => void registration.onBlur({ target: { name, value }, type: 'blur' })
  const [isOther, setOther] = useState(value !== '' && !isOffered(value))
  const chosen = isOther ? 'อื่น ๆ' : value
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1 font-medium">รู้จักตามงานจากช่องทางใด</legend>
      <div className="flex flex-wrap gap-1.5">
        {[...DISCOVERY_CHANNELS, 'อื่น ๆ'].map((channel, index) => (
          <label
            key={channel}
            className={classNames(
              'inline-flex min-h-8 items-center rounded-full border px-3 py-0.5 has-focus-visible:outline-2 has-focus-visible:outline-accent-ink touch:min-h-11',
              chosen === channel
                ? 'border-accent bg-accent-soft font-medium text-accent-ink'
                : error
                  ? 'border-urgent bg-surface'
                  : 'border-control bg-surface text-ink-muted hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              ref={index === 0 ? first : undefined}
              onBlur={onBlur}
              value={channel}
              checked={chosen === channel}
              onChange={() => {
                const other = channel === 'อื่น ๆ'
                setOther(other)
                onChange(other ? '' : channel)
              }}
              className="sr-only"
            />
            {channel}
          </label>
        ))}
      </div>
      {isOther && (
        <input
          aria-label="ช่องทางอื่นที่รู้จักตามงาน"
          placeholder="เล่าสั้น ๆ ว่ารู้จักจากที่ไหน"
          maxLength={200}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          className="mt-2 h-9 w-full rounded-control border border-control bg-surface px-3 placeholder:text-ink-faint touch:h-11 touch:text-lg"
        />
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1 text-sm text-urgent">
          {error}
        </p>
      )}
    </fieldset>
  )
}
