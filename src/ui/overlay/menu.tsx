import type { LucideIcon } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
  useRef,
  useState,
} from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { Popover } from './popover.tsx'

type TriggerProps = {
  ref: Ref<HTMLButtonElement>
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}
type MenuProps = {
  label: string
  trigger: (props: TriggerProps, open: boolean) => ReactElement
  /** Renders items and separators. Items that are links must call `close`. */
  children: (close: () => void) => ReactNode
  gap?: number
  className?: string
  triggerRef?: RefObject<HTMLButtonElement | null>
}

export function Menu({ label, trigger, children, gap, className, triggerRef }: MenuProps) {
  const [open, setOpen] = useState(false)
  const internalRef = useRef<HTMLButtonElement>(null)
  const button = triggerRef ?? internalRef
  const close = () => setOpen(false)
  const props: TriggerProps = {
    ref: button,
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    onClick: () => setOpen(!open),
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      setOpen(true)
    },
  }
  return (
    <>
      {trigger(props, open)}
      <Popover
        open={open}
        onClose={close}
        anchor={button}
        label={label}
        role="menu"
        gap={gap}
        className={classNames('py-1', className)}
      >
        <EventDelegationBox onKeyDown={moveFocus}>{children(close)}</EventDelegationBox>
      </Popover>
    </>
  )
}

const ITEM_SELECTOR = '[role^="menuitem"]:not([aria-disabled="true"])'

function moveFocus(event: KeyboardEvent<HTMLElement>) {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(ITEM_SELECTOR)]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key]
  if (to !== undefined) {
    event.preventDefault()
    items[(to + items.length) % items.length]?.focus()
    return
  }
  if (event.key.length !== 1 || event.key === ' ' || event.ctrlKey || event.metaKey) return
  const candidates = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  candidates.find((item) => item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()))?.focus()
}

export const MENU_ITEM_CLASSES =
  'flex w-full items-center gap-2.5 px-3 py-1.5 text-left whitespace-nowrap hover:bg-surface-muted focus-visible:bg-surface-muted focus-visible:-outline-offset-2 touch:min-h-11 touch:py-2.5'

type MenuItemProps = {
  icon?: LucideIcon
  children: ReactNode
  onSelect: () => void
  checked?: boolean
  danger?: boolean
  disabled?: boolean
}

export function MenuItem({ icon: Icon, children, onSelect, checked, danger = false, disabled = false }: MenuItemProps) {
  return (
    <button
      type="button"
      {...(checked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': checked })}
      aria-disabled={disabled || undefined}
      tabIndex={-1}
      onClick={() => disabled || onSelect()}
      className={classNames(MENU_ITEM_CLASSES, danger && 'text-urgent', disabled && 'opacity-50')}
    >
      {Icon && <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {checked && <span aria-hidden className="size-2 rounded-full bg-accent-ink" />}
    </button>
  )
}

export function MenuSeparator() {
  return <hr className="my-1 border-line" />
}
