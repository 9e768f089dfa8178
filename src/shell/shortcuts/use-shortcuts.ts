import { useEffect, useRef } from 'react'
import { pressEarlyKeys } from './early-keys.ts'
import { isAnswered, letterOf, type Shortcut, shortcutOf } from './shortcut-keys.ts'
import { singleKeys } from './shortcut-setting.ts'

export type ShortcutPress = {
  readonly name: Shortcut
  /** After G: the letter of a screen. */
  readonly letter?: string
  /** The key is held down. */
  readonly isRepeat: boolean
}

/** How long G waits for its letter. */
const GO_MS = 1500

/**
 * Listens for the page's keys. Small on purpose: it is part of the first load, what a key does is not. Keys with Ctrl, Alt or
 * Command are the browser's.
 */
export function useShortcuts(run: (press: ShortcutPress) => void): void {
  const latest = useRef(run)
  useEffect(() => {
    latest.current = run
  })
  useEffect(() => {
    let goUntil = 0
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      const letter = letterOf(event)
      const isGoing = event.timeStamp < goUntil && letter !== undefined
      const name = isGoing ? 'go' : shortcutOf(event, singleKeys())
      if (!name || !isAnswered(event.target, name)) return
      // A held key walks through the rows; it does nothing else twice.
      if (event.repeat && name !== 'next' && name !== 'previous') return
      if (name !== 'close') event.preventDefault()
      goUntil = name === 'go' && !isGoing ? event.timeStamp + GO_MS : 0
      if (name === 'go' && !isGoing) return
      latest.current({ name, isRepeat: event.repeat, ...(isGoing ? { letter } : {}) })
    }
    document.addEventListener('keydown', onKeyDown)
    pressEarlyKeys('single')
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
