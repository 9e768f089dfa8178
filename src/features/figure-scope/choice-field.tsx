import { Search } from 'lucide-react'
import { useState } from 'react'
import { searchForm } from '#contract/thai/thai-text.ts'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { withScopeValue } from './scope-change.ts'

type ChoiceFieldProps = {
  label: string
  choices: readonly { readonly code: string; readonly th: string }[]
  values: readonly string[] | undefined
  onChange: (values: readonly string[] | undefined) => void
}

/** From so many choices on, a box to search among them is worth its room. */
const SEARCHED_FROM = 15

/** Boxes to tick; a value of the address that is not among the choices stands first, so that it can be taken away. */
export function ChoiceField({ label, choices, values, onChange }: ChoiceFieldProps) {
  const [sought, setSought] = useState('')
  const form = searchForm(sought)
  const unknown = (values ?? []).filter((value) => choices.every(({ code }) => code !== value))
  const shown = [...unknown.map((code) => ({ code, th: code })), ...choices].filter(({ th }) =>
    searchForm(th).includes(form),
  )
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{label}</legend>
      {choices.length >= SEARCHED_FROM && (
        <TextField
          label={`ค้น${label}`}
          hideLabel
          icon={Search}
          placeholder={`ค้น${label}`}
          autoComplete="off"
          data-autofocus
          value={sought}
          onChange={(event) => setSought(event.currentTarget.value)}
          className="mb-2"
        />
      )}
      <div className="max-h-72 space-y-0.5 overflow-y-auto p-0.5">
        {shown.map(({ code, th }) => (
          <Checkbox
            key={code}
            checked={values?.includes(code) ?? false}
            onChange={(on) => onChange(withScopeValue(values, code, on))}
          >
            {th}
          </Checkbox>
        ))}
        {shown.length === 0 && <p className="text-ink-faint">ไม่พบ</p>}
      </div>
    </fieldset>
  )
}
