import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Landmark } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatPurchasingUnitAgencyName } from '#contract/catalogue/agency-name.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { toAgencyUrlSegment } from '#src/lib/agency-url.ts'

type AgencyLinkProps = {
  /** Name of the agency, or its text with a province (contract/catalogue/agency-name.ts); not linked if empty. */
  name: string
  province?: string | null | undefined
  unit?: string | undefined
  className?: string
  /** True for an additional link next to the name; it renders nothing without a target. */
  isExtra?: boolean
  children: ReactNode
}

/** Links an agency name to its page if the subscription includes agency purchases; otherwise plain text. */
export function AgencyLink({ name, province = null, unit, className, isExtra = false, children }: AgencyLinkProps) {
  const { data: organisation } = useQuery(organisationQuery)
  if (!organisation?.is_company_compare || name === '') return isExtra ? null : children
  return (
    <Link
      to="/agencies/$code"
      params={{ code: toAgencyUrlSegment({ text: formatPurchasingUnitAgencyName(name, province) }) }}
      search={unit === undefined ? {} : { unit }}
      title={`ดูว่า${name}ซื้ออะไร จากใคร เมื่อไร`}
      className={
        className ??
        'inline-block min-h-6 rounded-control decoration-line-strong underline-offset-4 hover:underline touch:min-h-11 touch:py-2.5'
      }
    >
      {children}
    </Link>
  )
}

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
