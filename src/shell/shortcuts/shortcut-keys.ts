/** Single-letter shortcuts, which users can disable (WCAG 2.1.4). */
const BY_LETTER = {
  j: 'next',
  k: 'previous',
  b: 'star',
  l: 'labels',
  x: 'hide',
  c: 'line',
  s: 'select',
  f: 'filters',
  g: 'go',
  q: 'queue',
} as const
const BY_SIGN = { '/': 'search', '?': 'help' } as const
/** Shortcuts that act on the focused row and cannot be disabled. */
const BY_NAME = { ' ': 'peek', Enter: 'open', Escape: 'close' } as const

type ValueOf<T> = T[keyof T]
export type Shortcut = ValueOf<typeof BY_LETTER> | ValueOf<typeof BY_SIGN> | ValueOf<typeof BY_NAME>

type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

/** True for a character from another layout, such as Thai; the physical key then decides. */
const isForeign = (key: string) => [...key].length === 1 && key > '\x7f'

/** Returns the Latin letter of a key, e.g. `j` where a Thai layout types `่`; undefined with Shift and for others. */
export function getLatinLetter({ key, code, shiftKey }: KeyPress): string | undefined {
  if (shiftKey) return undefined
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  return isForeign(key) ? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() : undefined
}

/** On the Thai layout both the key that types `/` (the 2 key) and the key labelled `/` count. */
function signOf({ key, code, shiftKey }: KeyPress): string {
  if (code === 'Slash' && isForeign(key)) return shiftKey ? '?' : '/'
  return key
}

const findIn = <Name>(names: Readonly<Record<string, Name>>, key: string | undefined) =>
  key !== undefined && Object.hasOwn(names, key) ? names[key] : undefined

export function findShortcut(press: KeyPress, single: boolean): Shortcut | undefined {
  const rowShortcut = findIn(BY_NAME, press.key)
  if (rowShortcut) return press.shiftKey ? undefined : rowShortcut
  return single ? (findIn(BY_SIGN, signOf(press)) ?? findIn(BY_LETTER, getLatinLetter(press))) : undefined
}

export const TEXT_INPUT_SELECTOR =
  'textarea, select, input:not([type="checkbox"], [type="radio"]), [contenteditable]:not([contenteditable="false"])'
export const LAYER_SELECTOR = '[role="dialog"], [role="menu"], [role="listbox"]'
/** Layers with an element that has this attribute, such as the project panel, let page shortcuts through. */
const PASS_THROUGH_LAYER = ':has([data-answers-keys])'
const INTERACTIVE_ELEMENTS = 'a[href], button, summary, label, input, [role="button"], [role="tab"], [role="switch"]'
const ROW_ELEMENTS = 'tr[data-index], [data-project-id], [data-answers-keys]'

/** True if a modal that also matches the selector `and` is open. */
export const isModalOpen = (and = ''): boolean =>
  document.querySelector(`[role="dialog"][aria-modal="true"]${and}`) !== null

export function canTargetAcceptShortcut(target: EventTarget | null, shortcut: Shortcut): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest(TEXT_INPUT_SELECTOR) || target.closest(`:is(${LAYER_SELECTOR}):not(${PASS_THROUGH_LAYER})`))
    return false
  if (isModalOpen(shortcut === 'close' ? '' : `:not(${PASS_THROUGH_LAYER})`)) return false
  if (shortcut === 'peek' || shortcut === 'open')
    return !target.closest(INTERACTIVE_ELEMENTS) && target.closest(ROW_ELEMENTS) !== null
  return true
}
