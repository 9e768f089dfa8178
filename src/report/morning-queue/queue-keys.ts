/** What a key asks for in the morning queue. */
export type QueueKey =
  | ('next' | 'back' | 'star' | 'labels' | 'hide' | 'undo' | 'open' | 'line' | 'note' | 'owner' | 'help' | 'leave')
  /** Into the stage of the board at this place, from 1. */
  | `stage ${number}`

type Press = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing'
>

/** How the report's own keys are read, which answer on a Thai layout too and can be switched off. */
export type KeyReader = {
  /** Name of the report's shortcut. */
  shortcutOf(press: Press): string | undefined
  /** The Latin letter that a key stands for, whatever the layout. */
  letterOf(press: Press): string | undefined
  /** Whether single letters answer at all (WCAG 2.1.4). */
  single(): boolean
}

/** Same letters as in the report; here Space and Enter go on. */
const BY_SHORTCUT: Readonly<Record<string, QueueKey>> = {
  next: 'next',
  peek: 'next',
  open: 'next',
  previous: 'back',
  star: 'star',
  labels: 'labels',
  hide: 'hide',
  line: 'line',
  help: 'help',
  close: 'leave',
}
const BY_ARROW: Readonly<Record<string, QueueKey>> = { ArrowRight: 'next', ArrowLeft: 'back' }
const BY_LETTER: Readonly<Record<string, QueueKey>> = { u: 'undo', o: 'owner', n: 'note', p: 'open' }

/** Keys with Ctrl, Alt or Command are the browser's, but for the one that takes back everywhere. A held key decides nothing. */
export function queueKeyOf(press: Press, keys: KeyReader): QueueKey | undefined {
  if (press.isComposing || press.repeat || press.altKey) return undefined
  const letter = keys.letterOf(press)
  if (press.ctrlKey || press.metaKey) return letter === 'z' ? 'undo' : undefined
  const arrow = press.shiftKey ? undefined : BY_ARROW[press.key]
  if (arrow) return arrow
  const shortcut = keys.shortcutOf(press)
  if (shortcut !== undefined && Object.hasOwn(BY_SHORTCUT, shortcut)) return BY_SHORTCUT[shortcut]
  const stage = digitOf(press)
  if (stage !== undefined && keys.single()) return `stage ${stage}`
  return letter !== undefined && keys.single() && Object.hasOwn(BY_LETTER, letter) ? BY_LETTER[letter] : undefined
}

/** 1 to 9, also where a Thai layout writes letters with these keys. */
function digitOf({ key, code, shiftKey }: Press): number | undefined {
  if (shiftKey) return undefined
  if (/^[1-9]$/.test(key)) return Number(key)
  const place = key > '\x7f' ? /^Digit([1-9])$/.exec(code)?.[1] : undefined
  return place === undefined ? undefined : Number(place)
}

const TYPING =
  'textarea, select, input:not([type="checkbox"], [type="radio"]), [contenteditable]:not([contenteditable="false"])'
/** Enter and Space belong to these when they have the focus. */
const PRESSED = 'a[href], button, summary, label, input, [role="button"]'

/** Whether the queue answers a key from there: not while typing or over a dialog of its own, and a button keeps its Enter and Space. */
export function answersKey(target: EventTarget | null, press: Pick<KeyboardEvent, 'key'>, panel: Element): boolean {
  if (!(target instanceof Element) || target.closest(TYPING)) return false
  const layers = document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"]')
  if ([...layers].some((layer) => layer !== panel)) return false
  return !((press.key === 'Enter' || press.key === ' ') && target.closest(PRESSED))
}
