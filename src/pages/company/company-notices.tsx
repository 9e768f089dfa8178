import { Link } from '@tanstack/react-router'
import type { CompanyDetail } from '#contract/company.ts'
import { COMPANY_PARAMS, printCompanySearch } from '#contract/company-params.ts'
import { ScopeLine } from '#src/features/figure-scope/scope-line.tsx'
import { IgnoredParams } from '#src/features/ignored-params/ignored-params.tsx'
import { Notice } from '#src/ui/notice.tsx'
import type { CompanyAddress } from './use-company-address.ts'

type CompanyNoticesProps = { address: CompanyAddress; detail: CompanyDetail }

/** What a reader must know before trusting the figures: of what they are made, what the link held in vain, who else is called so. */
export function CompanyNotices({ address: { ignored }, detail: { scope, company } }: CompanyNoticesProps) {
  return (
    <div className="flex flex-col gap-2">
      <ScopeLine scope={scope} />
      <IgnoredParams params={COMPANY_PARAMS} ignored={ignored} />
      {company.is_shared_name && (
        <div role="status">
          <Notice>
            มีบริษัทอื่นชื่อเดียวกัน แยกกันด้วยเลขประจำตัวผู้เสียภาษี ตัวเลขในหน้านี้เป็นของ {company.tax_id ?? 'บริษัทที่ไม่ทราบเลข'} เท่านั้น{' '}
            <Link
              to="/companies"
              search={printCompanySearch({ project_winner_name__in: [company.name] })}
              className="text-accent-ink underline-offset-4 hover:underline"
            >
              ดูทุกบริษัทชื่อนี้
            </Link>
          </Notice>
        </div>
      )}
    </div>
  )
}
