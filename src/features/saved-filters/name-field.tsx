import { useEffect, useRef } from 'react'
import { MAX_FILTER_NAME } from '#contract/user/saved-filter.ts'
import { TextField } from '#src/ui/form/text-field.tsx'

type NameFieldProps = {
  value: string
  onChange: (name: string) => void
  error: string | undefined
  label?: string
}

/** Name of a saved filter; what was suggested is selected, so that typing replaces it. */
export function NameField({ value, onChange, error, label = 'ชื่อ' }: NameFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  return (
    <TextField
      ref={input}
      label={label}
      data-autofocus
      autoComplete="off"
      value={value}
      error={error}
      hint={error ? undefined : `${value.trim().length}/${MAX_FILTER_NAME} ตัวอักษร`}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
