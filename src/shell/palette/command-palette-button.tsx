import { Search } from 'lucide-react'
import { useEffect } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { subscribeToSession } from '#src/lib/session-store.ts'
import { createExternalStore } from '#src/lib/store.ts'
import { useDocumentEvent } from '#src/lib/use-document-event.ts'
import { isModalOpen } from '#src/shell/shortcuts/shortcut-keys.ts'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { createModalPreloader } from '#src/ui/overlay/modal.tsx'
import { PHONE_BAR_ITEM_CLASSES } from '#src/ui/phone-bar-item.ts'
import { recentCommandPaletteEntryList } from './recent-command-palette-entries.ts'

const Palette = lazyComponent(() => import('./command-palette.tsx'), 'CommandPalette')
const preload = createModalPreloader(Palette.preload)

// Undefined until the palette is first opened. After closing, the dialog stays mounted to finish its transition.
const isOpen = createExternalStore<boolean | undefined>(undefined)

let bufferedText: string | undefined

/** Returns and clears the text typed while the dialog loaded. Call once the input has the focus. */
export function consumeBufferedCommandPaletteText(): string {
  const typed = bufferedText ?? ''
  bufferedText = undefined
  return typed
}

function setOpen(open: boolean): void {
  bufferedText = open ? '' : undefined
  isOpen.set(open)
}

/** Buffers keys typed while the dialog loads, so that they do not trigger page shortcuts. */
function bufferTyped(event: KeyboardEvent): void {
  const { key, ctrlKey, metaKey, altKey, isComposing } = event
  if (bufferedText === undefined || ctrlKey || metaKey || altKey || isComposing) return
  if (key.length === 1) bufferedText += key
  else if (key === 'Backspace') bufferedText = bufferedText.slice(0, -1)
  else if (key === 'Escape') setOpen(false)
  else return
  event.preventDefault()
}

// Delete recent entries on logout, because the next user of the device must not see them.
subscribeToSession((_session, cause) => {
  if (cause === 'logout') recentCommandPaletteEntryList.forgetAll()
})

const isMac = () => /Mac|iPhone|iPad/.test(navigator.platform)
/** True for Ctrl+K, or ⌘K on a Mac. On non-Latin layouts such as Thai, the physical key counts. */
const isPaletteKey = ({ key, code, ctrlKey, metaKey, shiftKey, altKey }: KeyboardEvent) =>
  (ctrlKey || metaKey) && !shiftKey && !altKey && (key.toLowerCase() === 'k' || (code === 'KeyK' && key > '\x7f'))

const MAX_DRAWER_WAIT_MS = 1_000

/** Waits until the drawer with the button has closed: two open dialogs would compete for the focus. */
function openAfterDrawer(until = performance.now() + MAX_DRAWER_WAIT_MS): void {
  if (isModalOpen() && performance.now() < until) requestAnimationFrame(() => openAfterDrawer(until))
  else setOpen(true)
}

export function CommandPaletteHost() {
  const open = isOpen.useValue()
  useDocumentEvent('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || !isPaletteKey(event)) return
    event.preventDefault()
    if (event.repeat) return
    if (isOpen.get()) setOpen(false)
    // Do not open the palette over another dialog, which would lose what the user is typing there.
    else if (!isModalOpen()) setOpen(true)
  })
  useDocumentEvent('keydown', bufferTyped, true)
  useEffect(
    () => () => {
      bufferedText = undefined
      isOpen.set(undefined)
    },
    [],
  )
  if (open === undefined) return null
  return (
    <LazyBoundary>
      <Palette open={open} onClose={() => setOpen(false)} />
    </LazyBoundary>
  )
}

const BUTTON_CLASSES = {
  header: 'h-9 gap-2 border border-line px-2.5 text-sm hover:bg-surface-muted hover:text-ink touch:h-11',
  drawer: 'min-h-11 w-full gap-3 px-3 text-md hover:bg-surface-muted hover:text-ink',
  'phone-bar': PHONE_BAR_ITEM_CLASSES,
}

type ButtonProps = { variant: keyof typeof BUTTON_CLASSES; onOpen?: () => void }

export function CommandPaletteButton({ variant, onOpen }: ButtonProps) {
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => {
        onOpen?.()
        openAfterDrawer()
      }}
      className={classNames('inline-flex items-center rounded-control text-ink-muted', BUTTON_CLASSES[variant])}
    >
      <Search aria-hidden className={variant === 'header' ? 'size-4' : 'size-5'} />
      {variant === 'header' ? (
        <>
          <span className="whitespace-nowrap max-xl:sr-only">ค้นหา</span>
          <kbd className="font-sans text-xs whitespace-nowrap text-ink-faint max-xl:hidden pointer-coarse:hidden">
            {isMac() ? '⌘K' : 'Ctrl K'}
          </kbd>
        </>
      ) : (
        <span className="max-w-full truncate">ค้นหา</span>
      )}
    </button>
  )
}
