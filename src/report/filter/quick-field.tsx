import { type ReactNode, useState } from 'react'
import { TextField } from '#src/ui/form/text-field.tsx'

/** What a typed text was understood as; `echo` says it back when it is not plain. */
export type Understood<T> =
  | { readonly ok: true; readonly value: T; readonly echo?: string | undefined }
  | { readonly ok: false; readonly message: string }

type QuickFieldProps<T> = {
  label: string
  placeholder?: string
  /** The value in force, as it is shown in the field. */
  shown: string
  understand: (text: string) => Understood<T>
  /** A new value, or null when the field was emptied. */
  onCommit: (value: T | null) => void
  inputMode?: 'decimal' | 'text'
  /** Said below while the value in force is shown. */
  note?: string | undefined
  /** Control inside the right edge. */
  trailing?: ReactNode
  className?: string
}

/**
 * A field that takes quick Thai entry ("5 ล้าน", "15/3/69"). It says below how it understood the text while one types;
 * Enter or leaving the field commits, Esc puts the value in force back. What cannot be understood stays, with the reason.
 */
export function QuickField<T>({
  label,
  placeholder,
  shown,
  understand,
  onCommit,
  inputMode,
  note,
  trailing,
  className,
}: QuickFieldProps<T>) {
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const [refused, setRefused] = useState(false)
  const text = draft ?? shown
  const isEmpty = text.trim() === ''
  const understood = draft === undefined || isEmpty ? undefined : understand(draft)

  const commit = () => {
    if (draft === undefined) return
    if (understood?.ok === false) return setRefused(true)
    setDraft(undefined)
    setRefused(false)
    if (draft.trim() !== shown.trim()) onCommit(understood ? understood.value : null)
  }
  let hint: ReactNode = draft === undefined ? note : undefined
  if (understood?.ok && understood.echo) hint = <span className="text-ink-muted">= {understood.echo}</span>

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
      error={refused && understood?.ok === false ? understood.message : undefined}
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
