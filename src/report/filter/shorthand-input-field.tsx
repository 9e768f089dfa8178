import { type ReactNode, useState } from 'react'
import { TextField } from '#src/ui/form/text-field.tsx'

/** Result of parsing typed text. `echo` is the normalised text to show back, absent for plain input. */
export type ThaiShorthandParseResult<T> =
  | { readonly ok: true; readonly value: T; readonly echo?: string | undefined }
  | { readonly ok: false; readonly message: string }

type QuickFieldProps<T> = {
  label: string
  placeholder?: string
  displayValue: string
  parse: (text: string) => ThaiShorthandParseResult<T>
  onCommit: (value: T | null) => void
  inputMode?: 'decimal' | 'text'
  note?: string | undefined
  trailing?: ReactNode
  className?: string
}

/**
 * A field that accepts Thai shorthand ("5 ล้าน", "15/3/69") and shows its interpretation while typing. Enter or blur
 * commits, Esc reverts. Invalid text remains, with the reason.
 */
export function ThaiShorthandInputField<T>({
  label,
  placeholder,
  displayValue,
  parse,
  onCommit,
  inputMode,
  note,
  trailing,
  className,
}: QuickFieldProps<T>) {
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const [refused, setRefused] = useState(false)
  const text = draft ?? displayValue
  const isEmpty = text.trim() === ''
  const parsed = draft === undefined || isEmpty ? undefined : parse(draft)

  const commit = () => {
    if (draft === undefined) return
    if (parsed?.ok === false) return setRefused(true)
    setDraft(undefined)
    setRefused(false)
    if (draft.trim() !== displayValue.trim()) onCommit(parsed ? parsed.value : null)
  }
  let hint: ReactNode = draft === undefined ? note : undefined
  if (parsed?.ok && parsed.echo) hint = <span className="text-ink-muted">= {parsed.echo}</span>

  return (
    <TextField
      label={label}
      hideLabel
      placeholder={placeholder}
      inputMode={inputMode}
      trailing={trailing}
      autoComplete="off"
      value={text}
      hint={hint}
      error={refused && parsed?.ok === false ? parsed.message : undefined}
      onChange={(event) => {
        setDraft(event.currentTarget.value)
        setRefused(false)
      }}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
        if (event.key === 'Escape' && draft !== undefined) {
          event.stopPropagation()
          setDraft(undefined)
          setRefused(false)
        }
      }}
      className={className ?? ''}
    />
  )
}
