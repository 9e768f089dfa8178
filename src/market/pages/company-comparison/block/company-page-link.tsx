import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { CompanyRef } from '#contract/market/company.ts'
import { type CompanySearch, formatCompanySearch, toStatisticsScopeSearch } from '#contract/market/company-params.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getCompanyHref } from '#src/lib/company-url.ts'
import { useComparisonUrlState } from '#src/market/pages/company-comparison/scope/use-comparison-url-state.ts'

type NamedCompany = Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>
type CompanyAnchorProps = {
  company: NamedCompany
  rows?: string
  className?: string
  children: ReactNode
}

export function getCompanyPageHref(company: NamedCompany, search: CompanySearch, rows?: string): string {
  return getCompanyHref(
    company,
    formatCompanySearch({ ...toStatisticsScopeSearch(search), ...(rows === undefined ? {} : { rows }) }),
  )
}

export function CompanyPageLink({ company, rows, className, children }: CompanyAnchorProps) {
  const { is_company_compare: hasPages } = useOrganisation()
  const { search } = useComparisonUrlState()
  const router = useRouter()
  if (!hasPages) return <span className={className}>{children}</span>
  const href = getCompanyPageHref(company, search, rows)
  return (
    <a
      href={href}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        router.history.push(href)
      }}
      className={classNames('rounded-control decoration-line-strong underline-offset-4 hover:underline', className)}
    >
      {children}
    </a>
  )
}
