import { Dialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react'
import { X } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { IconButton } from '../icon-button.tsx'
import type { ModalPanelProps } from './modal.tsx'

const SHEET_CLASSES = 'max-h-[88dvh] w-full rounded-t-card border-t starting:translate-y-8'
/** Uses flex instead of `translate`, because menus inside are `position: fixed` relative to the window. */
const VARIANT_CLASSES = {
  dialog: [
    'items-end justify-center sm:items-center sm:p-4',
    `${SHEET_CLASSES} sm:max-w-[520px] sm:rounded-card sm:border sm:starting:translate-y-2`,
  ],
  sheet: ['items-end justify-center', SHEET_CLASSES],
  drawer: ['justify-start', 'h-full w-drawer border-r starting:-translate-x-8'],
  side: ['justify-end', 'h-full w-[min(480px,100vw)] border-l starting:translate-x-8'],
} as const

let pointer = ''
document.addEventListener(
  'pointerdown',
  ({ pointerType }) => {
    pointer = pointerType
  },
  true,
)

/** Time within which browsers synthesise a click after a tap. */
const SYNTHETIC_CLICK_MS = 350

/** Covers the page: the dialog closes on pointer up, and the synthesised click would hit what is behind it. */
function swallowSyntheticClick(): void {
  if (pointer !== 'touch') return
  const shield = document.createElement('div')
  shield.className = 'fixed inset-0 z-50'
  shield.addEventListener('mousedown', (event) => event.preventDefault())
  document.body.append(shield)
  setTimeout(() => shield.remove(), SYNTHETIC_CLICK_MS)
}

/**
 * Content of `Modal`, loaded on first opening. It enters by CSS (`@starting-style`) and leaves without a transition.
 * Headless UI 2.2.10 transitions are avoided: a dialog closed while entering could stay open forever, because its
 * `done` callback is dropped when another transition starts.
 */
export function ModalPanel({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  variant = 'dialog',
  isTall = false,
  hideTitle = false,
  className,
  opener,
}: ModalPanelProps) {
  return (
    <Dialog open={open} onClose={onClose} className="fixed inset-0 z-50">
      <DialogBackdrop className="fixed inset-0 bg-backdrop transition-opacity duration-150 ease-out starting:opacity-0" />
      <div className={classNames('pointer-events-none fixed inset-0 flex', VARIANT_CLASSES[variant][0])}>
        <DialogPanel
          data-modal-panel
          className={classNames(
            'pointer-events-auto flex flex-col border-line bg-surface text-ink shadow-float transition duration-150 ease-out starting:opacity-0',
            VARIANT_CLASSES[variant][1],
            isTall && (variant === 'sheet' ? 'h-[88dvh]' : 'max-sm:h-[88dvh]'),
            className,
          )}
        >
          <FocusRestorer to={opener} />
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

/** Inside the modal, so that it unmounts with it. If the opener is gone, focuses the tab of saved filters. */
function FocusRestorer({ to }: { to: RefObject<HTMLElement | null> }) {
  useLayoutEffect(() => swallowSyntheticClick, [])
  useEffect(
    () => () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        const target = to.current?.isConnected ? to.current : getNamedElement('currentFilterTab')
        target?.focus()
      })
    },
    [to],
  )
  return null
}
