import { Dialog, DialogBackdrop, DialogPanel, DialogTitle } from '@headlessui/react'
import { X } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'
import { IconButton } from './icon-button.tsx'
import type { ModalProps } from './modal.tsx'

const FROM_BELOW = 'inset-x-0 bottom-0 max-h-[88dvh] rounded-t-card data-closed:translate-y-8'
const PLACES = {
  dialog: `${FROM_BELOW} sm:inset-x-auto sm:bottom-auto sm:top-1/2 sm:left-1/2 sm:w-[min(520px,calc(100vw-32px))] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-card sm:data-closed:-translate-y-[calc(50%-8px)]`,
  sheet: FROM_BELOW,
  drawer: 'inset-y-0 left-0 w-drawer border-r data-closed:-translate-x-8',
  side: 'inset-y-0 right-0 w-[min(480px,100vw)] border-l data-closed:translate-x-8',
} as const

/** The drawn part of `Modal`; imported by it on first opening. */
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
}: ModalProps) {
  return (
    <Dialog open={open} onClose={onClose} className="fixed inset-0 z-50">
      <DialogBackdrop
        transition
        className="fixed inset-0 bg-backdrop transition-opacity duration-150 ease-out data-closed:opacity-0"
      />
      <DialogPanel
        transition
        className={classNames(
          'fixed flex flex-col border-line bg-surface text-ink shadow-float transition duration-150 ease-out data-closed:opacity-0',
          PLACES[place],
          className,
        )}
      >
        <div className={hideTitle ? 'sr-only' : 'flex items-start gap-3 border-b border-line py-3 pr-2 pl-4'}>
          <div className="min-w-0 flex-1">
            <DialogTitle className="text-lg font-semibold">{title}</DialogTitle>
            {description && <p className="text-ink-muted">{description}</p>}
          </div>
          {!hideTitle && <IconButton icon={X} label="ปิด" onClick={onClose} />}
        </div>
        <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
        {footer && <div className="flex flex-wrap justify-end gap-2 border-t border-line px-4 py-3">{footer}</div>}
      </DialogPanel>
    </Dialog>
  )
}
