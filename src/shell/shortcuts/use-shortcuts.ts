import { useRef } from 'react'
import { useDocumentEvent } from '#src/lib/use-document-event.ts'
import { canTargetAcceptShortcut, findShortcut, getLatinLetter, type Shortcut } from './shortcut-keys.ts'
import { areSingleKeyShortcutsEnabled } from './shortcut-setting.ts'

export type ShortcutPress = {
  readonly name: Shortcut
  readonly letter?: string
  readonly isRepeat: boolean
}

const GO_SEQUENCE_MS = 1500

/** Listens for page shortcuts. Ctrl, Alt and Command combinations are left to the browser. */
export function useShortcuts(run: (press: ShortcutPress) => void): void {
  const goUntil = useRef(0)
  useDocumentEvent('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const letter = getLatinLetter(event)
    const isGoing = event.timeStamp < goUntil.current && letter !== undefined
    const name = isGoing ? 'go' : findShortcut(event, areSingleKeyShortcutsEnabled())
    if (!name || !canTargetAcceptShortcut(event.target, name)) return
    if (event.repeat && name !== 'next' && name !== 'previous') return
    if (name !== 'close') event.preventDefault()
    goUntil.current = name === 'go' && !isGoing ? event.timeStamp + GO_SEQUENCE_MS : 0
    if (name === 'go' && !isGoing) return
    run({ name, isRepeat: event.repeat, ...(isGoing ? { letter } : {}) })
  })
}
