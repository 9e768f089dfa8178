import type { LucideIcon } from 'lucide-react'
import {
  type ComponentType,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  use,
  useRef,
  useState,
} from 'react'
import { lazyPart } from '../lazy-boundary.tsx'

type TriggerProps = {
  ref: RefObject<HTMLButtonElement | null>
  'aria-haspopup': 'menu'
  'aria-expanded': boolean
  onPointerEnter: () => void
  onFocus: () => void
  onClick: () => void
  onKeyDown: (event: KeyboardEvent) => void
}
type MenuProps = {
  label: string
  trigger: (props: TriggerProps) => ReactElement
  children: ReactNode
  gap?: number
  className?: string
  triggerRef?: RefObject<HTMLButtonElement | null>
}
export type MenuPanelProps = Omit<MenuProps, 'trigger' | 'triggerRef'> & {
  open: boolean
  onClose: () => void
  anchor: RefObject<HTMLElement | null>
}

const MenuPanel = lazyPart(() => import('./anchored-panels.tsx'), 'MenuPanel')

export function Menu({ trigger, triggerRef, ...panel }: MenuProps) {
  const [open, setOpen] = useState(false)
  const [isUsed, setUsed] = useState(false)
  const internalRef = useRef<HTMLButtonElement>(null)
  const button = triggerRef ?? internalRef
  if (open && !isUsed) setUsed(true)
  return (
    <>
      {trigger({
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        onPointerEnter: MenuPanel.preload,
        onFocus: MenuPanel.preload,
        onClick: () => setOpen(!open),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        },
      })}
      {isUsed && <MenuPanel {...panel} open={open} onClose={() => setOpen(false)} anchor={button} />}
    </>
  )
}

export const MENU_ITEM_CLASSES =
  'flex w-full items-center gap-2.5 px-3 py-1.5 text-left whitespace-nowrap hover:bg-surface-muted focus-visible:bg-surface-muted focus-visible:-outline-offset-2 touch:min-h-11 touch:py-2.5'

export type MenuItemProps = {
  icon?: LucideIcon
  children: ReactNode
  checked?: boolean
  danger?: boolean
  disabled?: boolean
} & ({ onSelect: () => void; href?: never } | { href: string; onSelect?: never })

/** The component that renders an item, which `MenuPanel` provides once its code has loaded. */
export const MenuItemContext = createContext<ComponentType<MenuItemProps>>(() => null)

/** An item of a menu. The menu closes and its button has the focus again when `onSelect` runs; `href` opens a new tab. */
export function MenuItem(props: MenuItemProps) {
  const Item = use(MenuItemContext)
  return <Item {...props} />
}

export function MenuSeparator() {
  return <hr className="my-1 border-line" />
}
