import { useEffect, useId, useRef } from 'react'
import type { Label } from '#contract/label.ts'
import { isLabelColor, LABEL_COLORS, type LabelColor } from '#contract/label-palette.ts'
import { classNames } from '#src/lib/class-names.ts'
import { LABEL_LOOKS } from '#src/ui/label-chip.tsx'
import { LABEL_COLOR_NAMES } from './label-color-names.ts'

type LabelPaletteProps = { label: Label; onChange: (color: LabelColor) => void }

/** The 29 colours as radio buttons, each as a letter in its own colours; the chosen one is named in words below. */
export function LabelPalette({ label, onChange }: LabelPaletteProps) {
  const name = useId()
  const root = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const inputs = root.current?.querySelectorAll('input')
    const start = [...(inputs ?? [])].find((input) => input.checked) ?? inputs?.[0]
    start?.focus()
  }, [])
  return (
    <fieldset ref={root} className="min-w-0">
      <legend className="sr-only">สีของป้าย {label.name}</legend>
      <div className="flex flex-wrap gap-1.5">
        {LABEL_COLORS.map((color) => (
          <label
            key={color}
            title={LABEL_COLOR_NAMES[color]}
            className={classNames(
              'inline-flex size-8 items-center justify-center rounded-control text-sm inset-ring inset-ring-current/20 has-checked:ring-2 has-checked:ring-accent-ink has-checked:ring-offset-2 has-checked:ring-offset-surface has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent-ink touch:size-11',
              LABEL_LOOKS[color],
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              aria-label={LABEL_COLOR_NAMES[color]}
              checked={label.color === color}
              onChange={() => onChange(color)}
            />
            <span aria-hidden>ก</span>
          </label>
        ))}
      </div>
      <p className="mt-2 text-sm text-ink-muted">
        สีที่เลือก: {isLabelColor(label.color) ? LABEL_COLOR_NAMES[label.color] : LABEL_COLOR_NAMES.slate}
      </p>
    </fieldset>
  )
}
