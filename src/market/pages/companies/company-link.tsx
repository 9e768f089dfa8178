import { Link } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import { companyNamePart } from '#contract/catalogue/company-address.ts'
import type { CompanyRef } from '#contract/market/company.ts'
import { type CompanySearch, figureScopeOf, printCompanySearch } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { companyTin } from '#src/lib/company-address.ts'

type Named = Pick<CompanyRef, 'name' | 'tax_id' | 'is_shared_name'>

/** `rows`: the figure whose projects the page opens. */
export function companyAddress(company: Named, search: CompanySearch, rows?: string) {
  const scope = { ...figureScopeOf(search), ...(rows === undefined ? {} : { rows }) }
  return {
    to: '/companies/$name',
    params: { name: companyNamePart(company.name) },
    search: { ...printCompanySearch(scope), ...companyTin(company) },
  } as const
}

type CompanyLinkProps = Pick<ComponentProps<'a'>, 'tabIndex' | 'className' | 'title'> & {
  company: Named
  search: CompanySearch
  rows?: string
  children: ReactNode
}

export function CompanyLink({ company, search, rows, className, children, ...rest }: CompanyLinkProps) {
  return (
    <Link
      {...companyAddress(company, search, rows)}
      {...rest}
      className={classNames('rounded-control decoration-line-strong underline-offset-4 hover:underline', className)}
    >
      {children}
    </Link>
  )
}
