import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { organisationQuery } from '#src/api/keyword/organisations.ts'
import { agencyPart } from '#src/lib/agency-address.ts'

type AgencyLinkProps = {
  /** Exact name of the agency; nothing is linked where it is empty. */
  name: string
  /** One of its purchasing units: the page then begins with that one. */
  unit?: string | undefined
  className?: string
  /** It stands beside the name: absent where it leads nowhere. */
  isExtra?: boolean
  children: ReactNode
}

/** The name of an agency that leads to its page, for packages that hold what agencies buy; elsewhere the words alone. */
export function AgencyLink({ name, unit, className, isExtra = false, children }: AgencyLinkProps) {
  const { data: organisation } = useQuery(organisationQuery)
  if (!organisation?.is_company_compare || name === '') return isExtra ? null : children
  return (
    <Link
      to="/agencies/$code"
      params={{ code: agencyPart({ name }) }}
      search={unit === undefined ? {} : { unit }}
      title={`ดูว่า${name}ซื้ออะไร จากใคร เมื่อไร`}
      className={
        className ?? 'inline-block min-h-6 rounded-control decoration-line-strong underline-offset-4 hover:underline'
      }
    >
      {children}
    </Link>
  )
}
