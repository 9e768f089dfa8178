import { Link } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'

/** The way to the list. */
export function CompanyTrail() {
  return (
    <p className="print:hidden">
      <Link
        to="/companies"
        className="-ml-1 inline-flex items-center gap-1 rounded-control px-1 text-ink-muted hover:text-ink hover:underline touch:min-h-11"
      >
        <ChevronLeft aria-hidden className="size-4" />
        ข้อมูลบริษัท
      </Link>
    </p>
  )
}
