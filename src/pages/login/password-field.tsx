import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { IconButton } from '#src/ui/icon-button.tsx'
import { TextField } from '#src/ui/text-field.tsx'

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'type'> & { error?: string | undefined }

const HINTS = { caps: 'Caps Lock เปิดอยู่', thai: 'แป้นพิมพ์เป็นภาษาไทยอยู่' } as const

/** What is wrong with the keyboard at this key press, if anything: Thai layout, or Caps Lock. */
export function keyboardHint(key: string, capsLock: boolean): keyof typeof HINTS | undefined {
  if (/[\u0E00-\u0E7F]/.test(key)) return 'thai'
  return capsLock ? 'caps' : undefined
}

/** Password with "show", and a word when the keyboard is on Thai or Caps Lock is on. Pasting is allowed. */
export function PasswordField({ error, ...rest }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const [hint, setHint] = useState<keyof typeof HINTS>()
  const watchKeyboard = (event: KeyboardEvent) => {
    if (event.key.length === 1 || event.key === 'CapsLock')
      setHint(keyboardHint(event.key, event.getModifierState('CapsLock')))
  }
  return (
    <TextField
      {...rest}
      label="รหัสผ่าน"
      type={shown ? 'text' : 'password'}
      autoComplete="current-password"
      error={error}
      hint={hint === undefined ? undefined : <span className="text-updated">{HINTS[hint]}</span>}
      onKeyUp={watchKeyboard}
      trailing={
        <IconButton
          icon={shown ? EyeOff : Eye}
          label={shown ? 'ซ่อนรหัสผ่าน' : 'แสดงรหัสผ่าน'}
          aria-pressed={shown}
          size="sm"
          className="-mr-1.5"
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
