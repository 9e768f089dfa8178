import { COMPANY_DEFAULT_PAGE_SIZE, COMPANY_PAGE_SIZES } from '#contract/company-params.ts'
import { Pager } from '#src/ui/pager.tsx'
import type { CompanyAddress } from './use-company-address.ts'

type ProjectPagerProps = Pick<CompanyAddress, 'change'> & { page: number; pageSize: number; total: number }

/** The pages of a company's projects. */
export function ProjectPager({ change, ...pages }: ProjectPagerProps) {
  return (
    <Pager
      label="หน้าของโครงการ"
      {...pages}
      sizes={COMPANY_PAGE_SIZES}
      onPage={(to) => change({ page: to === 1 ? undefined : to })}
      onSize={(size) => change({ page_size: size === COMPANY_DEFAULT_PAGE_SIZE ? undefined : size })}
    />
  )
}
