import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { agencyTextOf } from '#contract/catalogue/agency-name.ts'
import { organisationQuery } from '#src/account/api/organisations.ts'
import { agencyPart } from '#src/lib/agency-address.ts'

type AgencyLinkProps = {
  /** Name of the agency, or its text with a province (contract/catalogue/agency-name.ts); nothing is linked where it is empty. */
  name: string
  /** Thai name of the province in which the purchasing unit lies: tells local bodies of one name apart. */
  province?: string | null | undefined
  /** One of its purchasing units: the page then begins with that one. */
  unit?: string | undefined
  className?: string
  /** It stands beside the name: absent where it leads nowhere. */
  isExtra?: boolean
  children: ReactNode
}

/** The name of an agency that leads to its page, for packages that hold what agencies buy; elsewhere the words alone. */
export function AgencyLink({ name, province = null, unit, className, isExtra = false, children }: AgencyLinkProps) {
  const { data: organisation } = useQuery(organisationQuery)
  if (!organisation?.is_company_compare || name === '') return isExtra ? null : children
  return (
    <Link
      to="/agencies/$code"
      params={{ code: agencyPart({ text: agencyTextOf(name, province) }) }}
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
