import { Menu } from '@base-ui/react/menu'
import { Popover } from '@base-ui/react/popover'
import { Tooltip } from '@base-ui/react/tooltip'
import { createContext, type ReactNode, type RefObject, use, useRef } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { isInRightHalf } from './is-in-right-half.ts'
import { MENU_ITEM_CLASSES, MenuItemContext, type MenuItemProps, type MenuPanelProps } from './menu.tsx'
import type { PopoverProps } from './popover.tsx'

type Anchor = RefObject<HTMLElement | null>

/** Gap between anchor and panel, and minimum distance from panel to window edge, in CSS pixels. */
const GAP = 4
const MIN_EDGE_DISTANCE = 8

const PANEL_CLASSES =
  'appear max-h-(--available-height) min-w-(--anchor-width) max-w-[calc(100vw-16px)] overflow-auto rounded-card border border-line bg-surface shadow-float outline-none'

const getPositionBelow = (anchor: Anchor, gap = GAP) =>
  ({
    anchor,
    align: anchor.current && isInRightHalf(anchor.current) ? 'end' : 'start',
    sideOffset: gap,
    collisionPadding: MIN_EDGE_DISTANCE,
    collisionAvoidance: { side: 'flip', align: 'shift', fallbackAxisSide: 'none' },
    positionMethod: 'fixed',
    className: 'z-50',
  }) as const

/** Returns the modal around the anchor, so that the panel stays inside its focus trap, else undefined for the body. */
const findPortalRoot = (anchor: Anchor) => anchor.current?.closest<HTMLElement>('[data-modal-panel]') ?? undefined

type CloseDetails = { readonly reason: string; readonly event: Event; cancel: () => void }

/** Closes unless the press or the focus went to the anchor, which toggles the panel itself, or to a listbox of the panel. */
const createOpenChangeHandler = (anchor: Anchor, onClose: () => void) => (isOpen: boolean, details: CloseDetails) => {
  if (isOpen) return
  const { reason, event } = details
  const target = event instanceof FocusEvent ? event.relatedTarget : event.target
  const isInside =
    target instanceof Element &&
    (anchor.current?.contains(target) === true || target.closest('[data-listbox-options]') !== null)
  if (isInside && (reason === 'outside-press' || reason === 'focus-out')) details.cancel()
  else onClose()
}

/**
 * Returns the focus only if it would be lost, because the user or a dialog may have moved it meanwhile. Focuses the
 * target itself: Base UI would focus the first button inside a target that Tab does not reach, such as a dialog.
 */
const createFinalFocus = (panel: RefObject<HTMLElement | null>, target: Anchor) => () => {
  const { activeElement, body } = document
  if (activeElement === body || panel.current?.contains(activeElement)) target.current?.focus()
  return false
}

export function PopoverPanel({
  open,
  onClose,
  anchor,
  focusBack = anchor,
  label,
  focus = 'first',
  gap,
  className,
  children,
}: PopoverProps) {
  const panel = useRef<HTMLDivElement>(null)
  const initialFocus = {
    first: () => panel.current?.querySelector<HTMLElement>('[data-autofocus]') ?? true,
    panel,
    none: false,
  }[focus]
  return (
    <Popover.Root open={open} onOpenChange={createOpenChangeHandler(anchor, onClose)}>
      <Popover.Portal container={findPortalRoot(anchor)}>
        <Popover.Positioner {...getPositionBelow(anchor, gap)}>
          <Popover.Popup
            ref={panel}
            aria-label={label}
            initialFocus={initialFocus}
            finalFocus={createFinalFocus(panel, focusBack)}
            className={classNames(PANEL_CLASSES, className)}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

export function MenuPanel({ open, onClose, anchor, label, gap, className, children }: MenuPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  // Base UI focuses the first item only if a `Menu.Trigger` opened the menu.
  const focusFirstItem = { initialFocus: () => panel.current?.querySelector<HTMLElement>('[role^="menuitem"]') ?? true }
  return (
    <Menu.Root open={open} onOpenChange={createOpenChangeHandler(anchor, onClose)} modal={false}>
      <Menu.Portal container={findPortalRoot(anchor)}>
        <Menu.Positioner {...getPositionBelow(anchor, gap)}>
          <Menu.Popup
            {...focusFirstItem}
            ref={panel}
            aria-label={label}
            finalFocus={createFinalFocus(panel, anchor)}
            className={classNames(PANEL_CLASSES, 'py-1', className)}
          >
            <MenuAnchorContext value={anchor}>
              <MenuItemContext value={MenuPanelItem}>{children}</MenuItemContext>
            </MenuAnchorContext>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}

const MenuAnchorContext = createContext<Anchor>({ current: null })

function MenuPanelItem({
  icon: Icon,
  children,
  onSelect,
  href,
  checked,
  danger = false,
  disabled = false,
}: MenuItemProps) {
  const anchor = use(MenuAnchorContext)
  const className = classNames(MENU_ITEM_CLASSES, 'cursor-pointer', danger && 'text-urgent', disabled && 'opacity-50')
  const content = (
    <>
      {Icon && <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />}
      <span className="line-clamp-2 min-w-0 flex-1 whitespace-normal wrap-anywhere">{children}</span>
      {checked && <span aria-hidden className="size-2 rounded-full bg-accent-ink" />}
    </>
  )
  if (href !== undefined)
    return (
      <Menu.LinkItem href={href} target="_blank" rel="noopener noreferrer" closeOnClick className={className}>
        {content}
      </Menu.LinkItem>
    )
  return (
    <Menu.Item
      {...(checked !== undefined && { role: 'menuitemradio', 'aria-checked': checked })}
      disabled={disabled}
      onClick={() => {
        // The item unmounts, and a dialog returns the focus to what had it when the dialog opened.
        anchor.current?.focus()
        onSelect()
      }}
      className={className}
    >
      {content}
    </Menu.Item>
  )
}

type TooltipPanelProps = { id: string; anchor: Anchor; onClose: () => void; children: ReactNode }

export function TooltipPanel({ id, anchor, onClose, children }: TooltipPanelProps) {
  return (
    <Tooltip.Root open onOpenChange={createOpenChangeHandler(anchor, onClose)}>
      <Tooltip.Portal container={findPortalRoot(anchor)}>
        <Tooltip.Positioner {...getPositionBelow(anchor)}>
          <Tooltip.Popup
            id={id}
            role="tooltip"
            className="appear max-w-xs rounded-control border border-line bg-surface px-2.5 py-1.5 text-xs text-ink shadow-float"
          >
            {children}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  )
}
