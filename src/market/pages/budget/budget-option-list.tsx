import { Search } from 'lucide-react'
import { useState } from 'react'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'

export type BudgetOption = { readonly value: string; readonly text: string; readonly count: string }

type OptionListProps = {
  name: string
  options: readonly BudgetOption[] | undefined
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

const SEARCH_BOX_THRESHOLD = 10

export function BudgetOptionList({ name, options, chosen, onChange }: OptionListProps) {
  const [text, setText] = useState('')
  if (options === undefined) return <p className="text-ink-muted">กำลังโหลดตัวเลือก…</p>
  const knownValues = new Set(options.map(({ value }) => value))
  const allOptions = [
    ...chosen.filter((value) => !knownValues.has(value)).map((value) => ({ value, text: value, count: '' })),
    ...options,
  ]
  const query = toNormalisedSearchText(text)
  const visibleOptions =
    query === '' ? allOptions : allOptions.filter((option) => toNormalisedSearchText(option.text).includes(query))
  return (
    <fieldset>
      <legend className="sr-only">{name}</legend>
      {allOptions.length > SEARCH_BOX_THRESHOLD && (
        <TextField
          label={`หา${name}`}
          hideLabel
          icon={Search}
          placeholder={`หา${name}`}
          value={text}
          autoComplete="off"
          onChange={(event) => setText(event.currentTarget.value)}
          className="mb-2"
        />
      )}
      <div className="max-h-72 overflow-y-auto">
        {visibleOptions.length === 0 && (
          <p className="py-2 text-ink-muted">{text === '' ? 'ไม่มีตัวเลือก' : 'ไม่พบตัวเลือกนี้'}</p>
        )}
        {visibleOptions.map(({ value, text: label, count }) => (
          <Checkbox
            key={value}
            checked={chosen.includes(value)}
            onChange={(on) => onChange(on ? [...chosen, value] : chosen.filter((item) => item !== value))}
            trailing={count}
            className="py-0.5"
          >
            {label}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  )
}
