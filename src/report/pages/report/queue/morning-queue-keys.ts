import {
  findShortcut,
  getLatinLetter,
  LAYER_SELECTOR,
  TEXT_INPUT_SELECTOR,
} from '#src/shell/shortcuts/shortcut-keys.ts'
import { areSingleKeyShortcutsEnabled } from '#src/shell/shortcuts/shortcut-setting.ts'

export type MorningQueueAction =
  | ('next' | 'back' | 'star' | 'labels' | 'hide' | 'undo' | 'open' | 'line' | 'note' | 'owner' | 'help' | 'leave')
  /** Moves the project to the board stage with this number, counted from 1. */
  | `stage ${number}`

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'code' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat' | 'isComposing'
>

const BY_SHORTCUT: Readonly<Record<string, MorningQueueAction>> = {
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
const BY_ARROW: Readonly<Record<string, MorningQueueAction>> = { ArrowRight: 'next', ArrowLeft: 'back' }
const BY_LETTER: Readonly<Record<string, MorningQueueAction>> = { u: 'undo', o: 'owner', n: 'note', p: 'open' }

/**
 * Returns the action of a key, with single-letter shortcuts only if they are enabled (WCAG 2.1.4). Returns
 * undefined for combinations with Ctrl, Alt or Command other than undo, which belong to the browser, and while a key
 * repeats, so that no project is decided by accident.
 */
export function resolveMorningQueueKeyPress(
  press: KeyPress,
  isSingle = areSingleKeyShortcutsEnabled(),
): MorningQueueAction | undefined {
  if (press.isComposing || press.repeat || press.altKey) return undefined
  const letter = getLatinLetter(press)
  if (press.ctrlKey || press.metaKey) return letter === 'z' ? 'undo' : undefined
  const arrow = press.shiftKey ? undefined : BY_ARROW[press.key]
  if (arrow) return arrow
  const shortcut = findShortcut(press, isSingle)
  if (shortcut !== undefined && Object.hasOwn(BY_SHORTCUT, shortcut)) return BY_SHORTCUT[shortcut]
  const stage = digitOf(press)
  if (stage !== undefined && isSingle) return `stage ${stage}`
  return letter !== undefined && isSingle && Object.hasOwn(BY_LETTER, letter) ? BY_LETTER[letter] : undefined
}

/** Returns 1 to 9, also on Thai layouts that produce letters with these keys. */
function digitOf({ key, code, shiftKey }: KeyPress): number | undefined {
  if (shiftKey) return undefined
  if (/^[1-9]$/.test(key)) return Number(key)
  const digit = key > '\x7f' ? /^Digit([1-9])$/.exec(code)?.[1] : undefined
  return digit === undefined ? undefined : Number(digit)
}

const BUTTON_SELECTOR = 'a[href], button, summary, label, input, [role="button"]'

/** False while the user types or another dialog is open. Buttons handle Enter and Space themselves. */
export function shouldHandleMorningQueueKey(
  target: EventTarget | null,
  press: Pick<KeyboardEvent, 'key'>,
  panel: Element,
): boolean {
  if (!(target instanceof Element) || target.closest(TEXT_INPUT_SELECTOR)) return false
  const layers = document.querySelectorAll(LAYER_SELECTOR)
  if ([...layers].some((layer) => layer !== panel)) return false
  return !((press.key === 'Enter' || press.key === ' ') && target.closest(BUTTON_SELECTOR))
}
