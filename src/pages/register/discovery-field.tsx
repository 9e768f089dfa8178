import { type Ref, useId, useState } from 'react'
import { DISCOVERY_CHANNELS } from '#contract/account/registration.ts'
import { classNames } from '#src/lib/class-names.ts'

type DiscoveryFieldProps = {
  /** The field as the form's `Controller` gives it; `ref` stands where focus goes when nothing is chosen. */
  field: {
    readonly name: string
    readonly value: string
    readonly onChange: (text: string) => void
    readonly onBlur: () => void
    readonly ref: Ref<HTMLInputElement>
  }
  error: string | undefined
}

const isOffered = (text: string) => (DISCOVERY_CHANNELS as readonly string[]).includes(text)

/** How somebody heard of us: one of the words offered, or their own. */
export function DiscoveryField({ field, error }: DiscoveryFieldProps) {
  const { value, onChange } = field
  const id = useId()
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
              name={field.name}
              ref={index === 0 ? field.ref : undefined}
              onBlur={field.onBlur}
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
