import { Dialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react'
import { X } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { IconButton } from '../icon-button.tsx'
import type { ModalPanelProps } from './modal.tsx'

const SHEET = 'max-h-[88dvh] w-full rounded-t-card border-t starting:translate-y-8'
/** Where the panel stands in the window, and its own shape. Placed by flex, not by `translate`: menus inside it are fixed to the window. */
const PLACES = {
  dialog: [
    'items-end justify-center sm:items-center sm:p-4',
    `${SHEET} sm:max-w-[520px] sm:rounded-card sm:border sm:starting:translate-y-2`,
  ],
  sheet: ['items-end justify-center', SHEET],
  drawer: ['justify-start', 'h-full w-drawer border-r starting:-translate-x-8'],
  side: ['justify-end', 'h-full w-[min(480px,100vw)] border-l starting:translate-x-8'],
} as const

/** How the dialog was used last: `touch`, `mouse` or `pen`. */
let pointer = ''
document.addEventListener(
  'pointerdown',
  ({ pointerType }) => {
    pointer = pointerType
  },
  true,
)

/** A browser makes its click of a tap within this long. */
const CLICK_FOLLOWS_MS = 350

/** A finger on the backdrop closes a dialog when it lifts; the click that follows from the same tap would press what lies behind. */
function catchClickOfTap(): void {
  if (pointer !== 'touch') return
  const shield = document.createElement('div')
  shield.className = 'fixed inset-0 z-50'
  // What has the focus keeps it.
  shield.addEventListener('mousedown', (event) => event.preventDefault())
  document.body.append(shield)
  setTimeout(() => shield.remove(), CLICK_FOLLOWS_MS)
}

/**
 * The drawn part of `Modal`; imported by it on first opening. It comes in by CSS (`@starting-style`) and leaves at once. Transitions of Headless UI
 * (2.2.10) are not used: a dialog closed while it came in could stay for ever, because its `done` gives up when another transition has begun.
 */
export function ModalPanel({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  place = 'dialog',
  hideTitle = false,
  className,
  opener,
}: ModalPanelProps) {
  return (
    <Dialog open={open} onClose={onClose} className="fixed inset-0 z-50">
      <DialogBackdrop className="fixed inset-0 bg-backdrop transition-opacity duration-150 ease-out starting:opacity-0" />
      <div className={classNames('pointer-events-none fixed inset-0 flex', PLACES[place][0])}>
        <DialogPanel
          data-modal-panel
          className={classNames(
            'pointer-events-auto flex flex-col border-line bg-surface text-ink shadow-float transition duration-150 ease-out starting:opacity-0',
            PLACES[place][1],
            className,
          )}
        >
          <GiveFocusBack to={opener} />
          <div
            className={
              hideTitle ? 'sr-only' : 'flex min-h-header items-center gap-3 border-b border-line py-2 pr-2 pl-4'
            }
          >
            <div className="min-w-0 flex-1">
              <DialogTitle className="text-lg font-semibold">{title}</DialogTitle>
              {description && <p className="text-ink-muted">{description}</p>}
            </div>
            {!hideTitle && <IconButton icon={X} label="ปิด" onClick={onClose} />}
          </div>
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
          {footer && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 pt-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
              {footer}
            </div>
          )}
        </DialogPanel>
      </div>
    </Dialog>
  )
}

/** Stands in the modal's content, so it goes when the modal has closed. Where the opener went meanwhile, `[data-focus-heir]` takes its place. */
function GiveFocusBack({ to }: { to: RefObject<HTMLElement | null> }) {
  useLayoutEffect(() => catchClickOfTap, [])
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const target = to.current?.isConnected ? to.current : document.querySelector<HTMLElement>('[data-focus-heir]')
        target?.focus()
      })
    },
    [to],
  )
  return null
}
