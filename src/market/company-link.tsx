import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { encodeNameForUrlPath } from '#contract/catalogue/company-name-part.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { type CompanySearch, toStatisticsScopeSearch } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { buildCompanyTaxIdParam } from '#src/lib/company-url.ts'

type NamedCompany = Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>

export function getCompanyLinkProps(company: NamedCompany, search: CompanySearch, rows?: string) {
  return {
    to: '/companies/$name',
    params: { name: encodeNameForUrlPath(company.name) },
    search: { ...toStatisticsScopeSearch(search), rows, ...buildCompanyTaxIdParam(company) },
  } as const
}

type CompanyLinkProps = Pick<ComponentProps<'a'>, 'ref' | 'className' | 'title'> & {
  company: NamedCompany
  search: CompanySearch
  rows?: string | undefined
  children: ReactNode
}

export function CompanyLink({ company, search, rows, className, children, ...rest }: CompanyLinkProps) {
  return (
    <Link
      {...getCompanyLinkProps(company, search, rows)}
      {...rest}
      className={classNames('rounded-control decoration-line-strong underline-offset-4 hover:underline', className)}
    >
      {children}
    </Link>
  )
}
