/** What a key asks for. The keys that stand for letters can be switched off (WCAG 2.1.4). */
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
/** These act on the row that has the focus, and always answer. */
const BY_NAME = { ' ': 'peek', Enter: 'open', Escape: 'close' } as const

type ValueOf<T> = T[keyof T]
export type Shortcut = ValueOf<typeof BY_LETTER> | ValueOf<typeof BY_SIGN> | ValueOf<typeof BY_NAME>

type Key = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>

/** A character beyond ASCII comes from another layout, such as the Thai one: then the place of the key says what is meant. */
const isForeign = (key: string) => [...key].length === 1 && key > '\x7f'

/** The Latin letter that a key stands for, `j` also where a Thai layout writes `่`; undefined for others and with Shift. */
export function letterOf({ key, code, shiftKey }: Key): string | undefined {
  if (shiftKey) return undefined
  if (/^[a-z]$/i.test(key)) return key.toLowerCase()
  return isForeign(key) ? /^Key([A-Z])$/.exec(code)?.[1]?.toLowerCase() : undefined
}

/** The character of a sign key. On the Thai layout both `/` where it is written (on the 2) and the key that is printed `/` count. */
function signOf({ key, code, shiftKey }: Key): string {
  if (code === 'Slash' && isForeign(key)) return shiftKey ? '?' : '/'
  return key
}

/** What a key press asks for; `single` says whether letters and signs answer. */
export function shortcutOf(press: Key, single: boolean): Shortcut | undefined {
  if (Object.hasOwn(BY_NAME, press.key)) return press.shiftKey ? undefined : BY_NAME[press.key as keyof typeof BY_NAME]
  if (!single) return undefined
  const sign = signOf(press)
  if (Object.hasOwn(BY_SIGN, sign)) return BY_SIGN[sign as keyof typeof BY_SIGN]
  const letter = letterOf(press)
  return letter !== undefined && Object.hasOwn(BY_LETTER, letter)
    ? BY_LETTER[letter as keyof typeof BY_LETTER]
    : undefined
}

/** Where letters are text; a box to tick is not. */
const TYPING =
  'textarea, select, input:not([type="checkbox"], [type="radio"]), [contenteditable]:not([contenteditable="false"])'
const LAYER = '[role="dialog"], [role="menu"], [role="listbox"]'
/** A layer that holds an element with this attribute lets the page's keys through: the panel of one project. */
const OPEN_LAYER = ':has([data-answers-keys])'
/** Enter and Space belong to these when they have the focus. */
const PRESSED = 'a[href], button, summary, label, input, [role="button"], [role="tab"], [role="switch"]'
/** Enter and Space are ours on a row and in the panel of one project. */
const ROW = 'tr[data-index], [data-project-id], [data-answers-keys]'

/** Whether the page answers keys from there: not while typing, not behind an open modal, not inside a menu or popover. */
export function isAnswered(target: EventTarget | null, shortcut: Shortcut): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest(TYPING) || target.closest(`:is(${LAYER}):not(${OPEN_LAYER})`)) return false
  const isModal = '[role="dialog"][aria-modal="true"]'
  // A modal closes itself on Esc.
  if (document.querySelector(shortcut === 'close' ? isModal : `${isModal}:not(${OPEN_LAYER})`)) return false
  if (shortcut === 'peek' || shortcut === 'open') return !target.closest(PRESSED) && target.closest(ROW) !== null
  return true
}
