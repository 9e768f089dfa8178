import { type ComponentProps, type ReactNode, useState } from 'react'
import { TextField } from '#src/ui/form/text-field.tsx'

/** Result of parsing typed text. `echo` is the normalised text to show back, absent for plain input. */
export type ThaiShorthandParseResult<T> =
  | { readonly ok: true; readonly value: T; readonly echo?: string | undefined }
  | { readonly ok: false; readonly message: string }

type ThaiShorthandInputFieldProps<T> = Pick<
  ComponentProps<typeof TextField>,
  'label' | 'placeholder' | 'inputMode' | 'trailing' | 'className'
> & {
  displayValue: string
  parse: (text: string) => ThaiShorthandParseResult<T>
  onCommit: (value: T | null) => void
  note?: string | undefined
}

/** Shows its interpretation of shorthand ("5 ล้าน", "15/3/69"). Enter or blur commits, Esc reverts. */
export function ThaiShorthandInputField<T>({
  displayValue,
  parse,
  onCommit,
  note,
  ...field
}: ThaiShorthandInputFieldProps<T>) {
  const [draft, setDraft] = useState<{ readonly text: string; readonly isRefused: boolean }>()
  const text = draft?.text ?? displayValue
  const parsed = !draft || text.trim() === '' ? undefined : parse(text)

  const commit = () => {
    if (!draft) return
    if (parsed?.ok === false) return setDraft({ text, isRefused: true })
    setDraft(undefined)
    if (text.trim() !== displayValue.trim()) onCommit(parsed ? parsed.value : null)
  }
  let hint: ReactNode = draft ? undefined : note
  if (parsed?.ok && parsed.echo) hint = <span className="text-ink-muted">= {parsed.echo}</span>

  return (
    <TextField
      {...field}
      hideLabel
      autoComplete="off"
      value={text}
      hint={hint}
      error={draft?.isRefused && parsed?.ok === false ? parsed.message : undefined}
      onChange={(event) => setDraft({ text: event.currentTarget.value, isRefused: false })}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
        if (event.key === 'Escape' && draft) {
          event.stopPropagation()
          setDraft(undefined)
        }
      }}
    />
  )
}
