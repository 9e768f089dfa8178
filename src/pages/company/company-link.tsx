import { Link } from '@tanstack/react-router'
import type { CompanyRef } from '#contract/company.ts'
import { type CompanySearch, figureScopeOf, printCompanySearch } from '#contract/company-params.ts'
import { companyNamePart, companyTin } from '#src/lib/company-address.ts'

type CompanyLinkProps = {
  company: Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>
  /** Of the screen that it is opened from: the scope goes along. */
  search: CompanySearch
}

/** The page of another company, in the same scope. */
export function CompanyLink({ company, search }: CompanyLinkProps) {
  return (
    <Link
      to="/companies/$name"
      params={{ name: companyNamePart(company.name) }}
      search={{ ...printCompanySearch(figureScopeOf(search)), ...companyTin(company) }}
      className="rounded-control decoration-line-strong underline-offset-4 hover:underline"
    >
      {company.name}
    </Link>
  )
}
