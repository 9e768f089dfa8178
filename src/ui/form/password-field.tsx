import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useState } from 'react'
import { IconButton } from '../icon-button.tsx'
import { TextField } from './text-field.tsx'

type PasswordFieldProps = Omit<ComponentProps<'input'>, 'type'> & {
  label?: string
  error?: string | undefined
  /** Under the field, below the word about the keyboard. */
  hint?: ReactNode
}

const HINTS = { caps: 'Caps Lock เปิดอยู่', thai: 'แป้นพิมพ์เป็นภาษาไทยอยู่' } as const

/** What is wrong with the keyboard at this key press, if anything: Thai layout, or Caps Lock. */
export function keyboardHint(key: string, capsLock: boolean): keyof typeof HINTS | undefined {
  if (/[\u0E00-\u0E7F]/.test(key)) return 'thai'
  return capsLock ? 'caps' : undefined
}

/** Password with "show", and a word when the keyboard is on Thai or Caps Lock is on. Pasting is allowed. */
export function PasswordField({
  label = 'รหัสผ่าน',
  autoComplete = 'current-password',
  error,
  hint,
  ...rest
}: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const [keyboard, setKeyboard] = useState<keyof typeof HINTS>()
  const watchKeyboard = (event: KeyboardEvent) => {
    if (event.key.length === 1 || event.key === 'CapsLock')
      setKeyboard(keyboardHint(event.key, event.getModifierState('CapsLock')))
  }
  return (
    <TextField
      {...rest}
      label={label}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      error={error}
      hint={
        keyboard === undefined && hint === undefined ? undefined : (
          <>
            {keyboard !== undefined && <span className="text-updated">{HINTS[keyboard]}</span>}
            {hint}
          </>
        )
      }
      onKeyUp={watchKeyboard}
      trailing={
        <IconButton
          icon={shown ? EyeOff : Eye}
          label={`${shown ? 'ซ่อน' : 'แสดง'}${label}`}
          aria-pressed={shown}
          size="sm"
          className="-mr-1.5"
          onClick={() => setShown(!shown)}
        />
      }
    />
  )
}
