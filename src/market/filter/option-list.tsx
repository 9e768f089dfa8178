import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { setListValues } from '#src/lib/set-list-values.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'

export type FilterOption = { readonly value: string; readonly text: string; readonly count?: string }

type OptionListProps = {
  label: string
  options: readonly FilterOption[]
  values: readonly string[] | undefined
  /** Text of a value that is not among the options. */
  textOf?: (value: string) => string
  onChange: (values: readonly string[] | undefined) => void
  /** Error of options that failed to load; replaces the text of an empty list. */
  loadError?: ReactNode
}

const SEARCH_BOX_THRESHOLD = 12

/** Values in the URL that are not among the options come first, so that the user can remove them. */
export function OptionList({ label, options, values = [], textOf = String, onChange, loadError }: OptionListProps) {
  const [searchText, setSearchText] = useState('')
  const query = toNormalisedSearchText(searchText)
  const unknown = values.filter((value) => options.every((option) => option.value !== value))
  const allOptions: readonly FilterOption[] = [...unknown.map((value) => ({ value, text: textOf(value) })), ...options]
  const visibleOptions = allOptions.filter(({ text }) => toNormalisedSearchText(text).includes(query))
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      {allOptions.length > SEARCH_BOX_THRESHOLD && (
        <OptionSearchField label={`ค้น${label}`} value={searchText} onChange={setSearchText} />
      )}
      <div className="max-h-72 space-y-0.5 overflow-y-auto p-0.5">
        {visibleOptions.map(({ value, text, count }) => (
          <Checkbox
            key={value}
            checked={values.includes(value)}
            onChange={(on) => onChange(setListValues(values, [value], on))}
            trailing={count}
          >
            {text}
          </Checkbox>
        ))}
        {loadError}
        {!loadError && visibleOptions.length === 0 && (
          <p className="py-2 text-ink-muted">{searchText === '' ? 'ไม่มีตัวเลือก' : 'ไม่พบตัวเลือกนี้'}</p>
        )}
      </div>
    </fieldset>
  )
}

type OptionSearchFieldProps = {
  label: string
  placeholder?: string
  value: string
  onChange: (text: string) => void
}

export function OptionSearchField({ label, placeholder = label, value, onChange }: OptionSearchFieldProps) {
  return (
    <TextField
      label={label}
      hideLabel
      icon={Search}
      placeholder={placeholder}
      autoComplete="off"
      data-autofocus
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      className="mb-2"
    />
  )
}
