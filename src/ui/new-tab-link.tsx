import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type NewTabLinkProps = {
  /** URLs derived from data must have passed `toSafeHref`. */
  href: string
  className: string
  iconClassName?: string
  children: ReactNode
}

export function NewTabLink({ href, className, iconClassName, children }: NewTabLinkProps) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className={className}>
      {children}
      <ExternalLink aria-label="เปิดแท็บใหม่" className={classNames('size-3.5 shrink-0', iconClassName)} />
    </a>
  )
}
