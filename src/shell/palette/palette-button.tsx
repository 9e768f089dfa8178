import { Search } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { watchSession } from '#src/lib/session-store.ts'
import { createStore } from '#src/lib/store.ts'
import { pressEarlyKeys } from '#src/shell/shortcuts/early-keys.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { preloadModalWith } from '#src/ui/overlay/modal.tsx'
import { recentEntries } from './recent-entries.ts'

const load = () => import('./palette.tsx')
const Palette = lazyComponent(load, 'Palette')
const preload = preloadModalWith(load)

// Undefined until first opened. Stays mounted after closing so that the dialog can close properly.
const isOpen = createStore<boolean | undefined>(undefined)

/** Text typed while the dialog loads; undefined when it is not loading. */
let typedAhead: string | undefined

/** Returns and clears the buffered text. Call once the input has the focus and receives keys directly. */
export function takeTypedAhead(): string {
  const typed = typedAhead ?? ''
  typedAhead = undefined
  return typed
}

function show(open: boolean): void {
  typedAhead = open ? '' : undefined
  isOpen.set(open)
}

/** Buffers keys typed while the dialog loads, so that they do not trigger page shortcuts. */
function bufferTyped(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event
  if (typedAhead === undefined || ctrlKey || metaKey || altKey || isComposing) return
  if (key.length === 1) typedAhead += key
  else if (key === 'Backspace') typedAhead = typedAhead.slice(0, -1)
  else if (key === 'Escape') show(false)
  else return
  event.preventDefault()
}

// Delete recent entries on logout: the next user of the device must not see them.
watchSession((_session, cause) => {
  if (cause === 'logout') recentEntries.forgetAll()
})

const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform)
/** Ctrl+K, or ⌘K on a Mac. Uses the physical key on non-Latin layouts such as Thai. */
const isPaletteKey = ({ key, code, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !shiftKey && !altKey && (key.toLowerCase() === 'k' || (code === 'KeyK' && key > '\x7f'))

const isModalOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null
const LEAVES_MS = 1_000

/**
 * Opens the palette after the drawer with its button has closed, because two open dialogs would compete for the focus.
 */
function openWhenClear(until = performance.now() + LEAVES_MS): void {
  if (isModalOpen() && performance.now() < until) requestAnimationFrame(() => openWhenClear(until))
  else show(true)
}

export function PaletteHost() {
  const open = useSyncExternalStore(isOpen.subscribe, isOpen.get)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || !isPaletteKey(event)) return
      event.preventDefault()
      if (event.repeat) return
      if (isOpen.get()) show(false)
      // Opening over another dialog would discard what the user is typing there.
      else if (!isModalOpen()) show(true)
    }
    document.addEventListener('keydown', onKeyDown)
    window.addEventListener('keydown', bufferTyped, true)
    pressEarlyKeys('palette')
    return () => {
      document.removeEventListener('keydown', onKeyDown)
      window.removeEventListener('keydown', bufferTyped, true)
      typedAhead = undefined
      isOpen.set(undefined)
    }
  }, [])
  if (open === undefined) return null
  return (
    <LazyBoundary>
      <Palette open={open} onClose={() => show(false)} />
    </LazyBoundary>
  )
}

export function PaletteButton({ look, onOpen }: { look: 'header' | 'drawer'; onOpen?: () => void }) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => {
        onOpen?.()
        openWhenClear()
      }}
      className={classNames(
        'inline-flex items-center gap-2 rounded-control text-ink-muted hover:bg-surface-muted hover:text-ink',
        look === 'header' ? 'h-9 border border-line px-2.5 text-sm touch:h-11' : 'min-h-11 w-full gap-3 px-3 text-md',
      )}
    >
      <Search aria-hidden className={look === 'header' ? 'size-4' : 'size-5'} />
      {look === 'header' ? (
        <>
          <span className="max-[1440px]:sr-only">ไปที่…</span>
          <kbd className="font-sans text-xs whitespace-nowrap text-ink-faint pointer-coarse:hidden">
            {isMac() ? '⌘K' : 'Ctrl K'}
          </kbd>
        </>
      ) : (
        'ค้นและไปที่…'
      )}
    </button>
  )
}
