import { Landmark } from 'lucide-react'
import { AgencyLink } from './agency-link.tsx'

export function AgencyIconLink({ name }: { name: string }) {
  return (
    <AgencyLink
      name={name}
      isExtra
      className="inline-flex size-8 shrink-0 items-center justify-center rounded-control text-ink-muted hover:bg-surface-muted hover:text-ink touch:size-11 print:hidden"
    >
      <Landmark aria-hidden className="size-4" />
      <span className="sr-only">เปิดหน้า{name}</span>
    </AgencyLink>
  )
}
