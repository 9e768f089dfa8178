/** `system` follows the device; the choice is kept on this device and read by public/theme.js before the first paint. */
export const THEMES = [
  { code: 'system', name: 'ตามเครื่อง' },
  { code: 'light', name: 'สว่าง' },
  { code: 'dark', name: 'มืด' },
] as const
export type Theme = (typeof THEMES)[number]['code']

const KEY = 'tamngan.theme'

export function currentTheme(): Theme {
  const set = document.documentElement.dataset.theme
  return set === 'light' || set === 'dark' ? set : 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
}
