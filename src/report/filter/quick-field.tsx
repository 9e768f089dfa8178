import { type ReactNode, useState } from 'react'
import { TextField } from '#src/ui/form/text-field.tsx'

/** Result of parsing typed text; `echo` repeats it unless it was plain. */
export type Understood<T> =
  | { readonly ok: true; readonly value: T; readonly echo?: string | undefined }
  | { readonly ok: false; readonly message: string }

type QuickFieldProps<T> = {
  label: string
  placeholder?: string
  /** The current value as displayed in the field. */
  shown: string
  understand: (text: string) => Understood<T>
  /** The new value, or null when the field was cleared. */
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
