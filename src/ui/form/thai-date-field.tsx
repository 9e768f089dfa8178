import { useState } from 'react'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { parseThaiDate } from '#contract/thai/thai-date-entry.ts'
import { TextField } from './text-field.tsx'

type ThaiDateFieldProps = {
  label: string
  iso: string | null
  example: string
  today: string
  onSet: (iso: string | null) => void
}

/** Committed on blur or Enter. Set `key` to the date, so that a date changed elsewhere replaces the typed text. */
export function ThaiDateField({ label, iso, example, today, onSet }: ThaiDateFieldProps) {
  const [text, setText] = useState(iso === null ? '' : formatThaiDate(iso))
  const [error, setError] = useState<string>()
  const commit = () => {
    if (text.trim() === '') {
      setError(undefined)
      if (iso !== null) onSet(null)
      return
    }
    const entry = parseThaiDate(text, today)
    setError(entry.ok ? undefined : entry.message)
    if (entry.ok && entry.iso !== iso) onSet(entry.iso)
  }
  return (
    <TextField
      label={label}
      value={text}
      placeholder={formatThaiDate(example)}
      error={error}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
      }}
    />
  )
}
