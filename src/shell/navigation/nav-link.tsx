import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { isActiveNavEntry, type NavScreen } from './nav-entries.ts'
import { useNavLocation } from './use-nav-location.ts'

/** Casts a `SCREENS` path to the router's type. A test ensures that `SCREENS` matches the routes. */
export const castToRoutePath = (path: NavScreen['path']) => path as '/report'

const VARIANTS = {
  tab: [
    'flex items-center border-b-2 whitespace-nowrap focus-visible:-outline-offset-2',
    'border-accent-ink font-semibold text-accent-ink',
    'border-transparent text-ink-muted hover:text-ink',
  ],
  drawer: [
    'flex min-h-11 items-center gap-3 rounded-control px-3 text-md',
    'bg-accent-soft font-semibold text-accent-ink',
    'text-ink-muted hover:bg-surface-muted',
  ],
  'phone-bar': ['', 'font-semibold text-accent-ink', 'text-ink-muted'],
} as const

type NavLinkProps = {
  screen: NavScreen
  variant: keyof typeof VARIANTS
  onClick?: () => void
  className?: string
  children: ReactNode
}

export function NavLink({ screen, variant, className, ...rest }: NavLinkProps) {
  const [shape, active, inactive] = VARIANTS[variant]
  const isActive = isActiveNavEntry(screen, useNavLocation())
  return (
    <Link
      to={castToRoutePath(screen.path)}
      search={screen.search ?? {}}
      aria-current={isActive ? 'page' : undefined}
      className={classNames(shape, className, isActive ? active : inactive)}
      {...rest}
    />
  )
}
