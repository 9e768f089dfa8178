import { useState } from 'react'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { parseThaiDate } from '#contract/thai/thai-date-entry.ts'
import { TextField } from './text-field.tsx'

type DayFieldProps = {
  label: string
  /** The day in force. */
  iso: string | null
  /** Shown in the empty field. */
  example: string
  today: string
  /** Null: the field was emptied. */
  onSet: (iso: string | null) => void
}

/** A day as Thais write it; taken over when the field is left or Enter is pressed. Give a `key` with the day, so that one from elsewhere is shown. */
export function DayField({ label, iso, example, today, onSet }: DayFieldProps) {
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
