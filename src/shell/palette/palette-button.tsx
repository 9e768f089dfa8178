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

// Undefined until it was opened once; it stays after closing, so that the dialog can leave as dialogs do.
const isOpen = createStore<boolean | undefined>(undefined)

/** Typed while the box that it is meant for is on its way; undefined while no box is. */
let typedAhead: string | undefined

/** What was typed before the box could take it. To be called when it has the focus: from then on letters are its own. */
export function takeTypedAhead(): string {
  const typed = typedAhead ?? ''
  typedAhead = undefined
  return typed
}

function show(open: boolean): void {
  typedAhead = open ? '' : undefined
  isOpen.set(open)
}

/** Letters for a box that is not there yet are no keys of the page. */
function bufferTyped(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event
  if (typedAhead === undefined || ctrlKey || metaKey || altKey || isComposing) return
  if (key.length === 1) typedAhead += key
  else if (key === 'Backspace') typedAhead = typedAhead.slice(0, -1)
  else if (key === 'Escape') show(false)
  else return
  event.preventDefault()
}

// What was opened here is no business of the next person at this device.
watchSession((_session, cause) => {
  if (cause === 'logout') recentEntries.forgetAll()
})

const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform)
/** Ctrl+K, ⌘K on a Mac; by the place of the key where the layout is Thai. */
const isPaletteKey = ({ key, code, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !shiftKey && !altKey && (key.toLowerCase() === 'k' || (code === 'KeyK' && key > '\x7f'))

const isModalOpen = () => document.querySelector('[role="dialog"][aria-modal="true"]') !== null
/** A drawer takes this long to leave, at most. */
const LEAVES_MS = 1_000

/** Opens it once the drawer that holds the button has left: two dialogs would fight for the focus. */
function openWhenClear(until = performance.now() + LEAVES_MS): void {
  if (isModalOpen() && performance.now() < until) requestAnimationFrame(() => openWhenClear(until))
  else show(true)
}

/** Where the palette is drawn, and its key; stands once in the layout. */
export function PaletteHost() {
  const open = useSyncExternalStore(isOpen.subscribe, isOpen.get)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || !isPaletteKey(event)) return
      event.preventDefault()
      if (event.repeat) return
      if (isOpen.get()) show(false)
      // Over another dialog it would take away what is being written there.
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

/** Opens the palette: an icon with its keys in the header, a line of its own in the drawer. */
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
