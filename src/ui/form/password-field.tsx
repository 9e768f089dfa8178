import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, useState } from 'react'
import { IconButton } from '../icon-button.tsx'
import { TextField } from './text-field.tsx'

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, 'label' | 'type'> & { label?: string }

const HINTS = { caps: 'Caps Lock เปิดอยู่', thai: 'แป้นพิมพ์เป็นภาษาไทยอยู่' } as const

function detectKeyboardWarning(key: string, capsLock: boolean): keyof typeof HINTS | undefined {
  if (/[\u0E00-\u0E7F]/.test(key)) return 'thai'
  return capsLock ? 'caps' : undefined
}

/** Password field with a show button and a warning for Thai layout or Caps Lock. Pasting is allowed. */
export function PasswordField({ label = 'รหัสผ่าน', hint, ...rest }: PasswordFieldProps) {
  const [isVisible, setShown] = useState(false)
  const [keyboard, setKeyboard] = useState<keyof typeof HINTS>()
  const watchKeyboard = (event: KeyboardEvent) => {
    if (event.key.length === 1 || event.key === 'CapsLock')
      setKeyboard(detectKeyboardWarning(event.key, event.getModifierState('CapsLock')))
  }
  return (
    <TextField
      autoComplete="current-password"
      {...rest}
      label={label}
      type={isVisible ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      hint={
        (keyboard || hint) && (
          <>
            {keyboard && <span className="text-updated">{HINTS[keyboard]}</span>}
            {hint}
          </>
        )
      }
      onKeyUp={watchKeyboard}
      trailing={
        <IconButton
          icon={isVisible ? EyeOff : Eye}
          label={`${isVisible ? 'ซ่อน' : 'แสดง'}${label}`}
          aria-pressed={isVisible}
          size="sm"
          className="-mr-1.5"
          onClick={() => setShown(!isVisible)}
        />
      }
    />
  )
}
