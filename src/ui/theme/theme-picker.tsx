import { Monitor, Moon, Sun } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { writeStoredText } from '#src/lib/web-storage.ts'

/** `system` follows the device. The choice is stored on the device; public/theme.js reads it before first paint. */
export const THEMES = [
  { code: 'system', name: 'ตามเครื่อง', icon: Monitor },
  { code: 'light', name: 'สว่าง', icon: Sun },
  { code: 'dark', name: 'มืด', icon: Moon },
] as const
type Theme = (typeof THEMES)[number]['code']

function currentTheme(): Theme {
  const set = document.documentElement.dataset.theme
  return set === 'light' || set === 'dark' ? set : 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  writeStoredText('localStorage', 'tamngan.theme', theme === 'system' ? undefined : theme)
}

export function ThemePicker() {
  const [theme, setShown] = useState(currentTheme)
  return (
    <fieldset className="flex rounded-control bg-surface-muted p-0.5">
      <legend className="sr-only">ธีม</legend>
      {THEMES.map(({ code, name, icon: Icon }) => (
        <label
          key={code}
          className={classNames(
            'flex flex-1 items-center justify-center gap-1.5 rounded-[5px] border px-2 py-1 text-xs whitespace-nowrap has-focus-visible:outline-2 has-focus-visible:outline-accent-ink touch:min-h-11',
            theme === code
              ? 'border-line bg-surface font-medium text-ink'
              : 'border-transparent text-ink-muted hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="theme"
            className="sr-only"
            checked={theme === code}
            onChange={() => {
              setTheme(code)
              setShown(code)
            }}
          />
          <Icon aria-hidden className="size-3.5" />
          {name}
        </label>
      ))}
    </fieldset>
  )
}
