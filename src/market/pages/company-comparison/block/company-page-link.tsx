import type { ReactNode } from 'react'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { CompanyLink } from '#src/market/company-link.tsx'
import type { ComparisonCompany } from '#src/market/pages/company-comparison/scope/comparison-company.ts'
import { useComparisonUrlState } from '#src/market/pages/company-comparison/scope/use-comparison-url-state.ts'

type CompanyPageLinkProps = { company: ComparisonCompany; rows?: string; children: ReactNode }

/** Links to the page of a company in the scope of the comparison, if the organisation may open it. */
export function CompanyPageLink({ company, rows, children }: CompanyPageLinkProps) {
  const { is_company_compare: hasPages } = useOrganisation()
  const { search } = useComparisonUrlState()
  if (!hasPages) return <span>{children}</span>
  return (
    <CompanyLink company={company} search={search} rows={rows}>
      {children}
    </CompanyLink>
  )
}
