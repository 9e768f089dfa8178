import type { ComponentProps } from 'react'
import { COMPANY_DEFAULT_PAGE_SIZE, COMPANY_PAGE_SIZES, type CompanySearch } from '#contract/market/company-params.ts'
import type { ChangeSearchFn } from '#src/lib/use-search-state.ts'
import { Pager } from '#src/ui/pager.tsx'

type CompanyPagerProps = Pick<ComponentProps<typeof Pager>, 'label' | 'page' | 'pageSize' | 'total'> & {
  change: ChangeSearchFn<CompanySearch>
}

export function CompanyPager({ change, ...pages }: CompanyPagerProps) {
  return (
    <Pager
      {...pages}
      sizes={COMPANY_PAGE_SIZES}
      onPage={(to) => change({ page: to === 1 ? undefined : to })}
      onSize={(size) => change({ page_size: size === COMPANY_DEFAULT_PAGE_SIZE ? undefined : size })}
    />
  )
}
