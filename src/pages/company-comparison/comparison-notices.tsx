import type { Comparison } from '#contract/company-comparison.ts'
import { COMPANY_PARAMS, type IgnoredCompanyParam, MOST_COMPARED } from '#contract/company-params.ts'
import { IgnoredParams } from '#src/features/ignored-params/ignored-params.tsx'
import { Button } from '#src/ui/button.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { type ComparisonAddress, comparedName } from './use-comparison-address.ts'

type ComparisonNoticesProps = {
  ignored: readonly IgnoredCompanyParam[]
  names: readonly string[]
  leftOut: readonly string[]
  unknown: Comparison['unknown']
  compare: ComparisonAddress['compare']
}

/** What a reader must know before trusting the comparison: what of the address is not in it. */
export function ComparisonNotices({ ignored, names, leftOut, unknown, compare }: ComparisonNoticesProps) {
  return (
    <>
      {leftOut.length + unknown.length > 0 && (
        <div role="status" className="flex flex-col gap-2 print:hidden">
          {leftOut.length > 0 && (
            <Notice warns>
              เทียบได้ครั้งละ {MOST_COMPARED} บริษัท จึงแสดง {MOST_COMPARED} บริษัทแรก ไม่ได้แสดง: {leftOut.join(', ')}
            </Notice>
          )}
          {unknown.map(({ asked, similar }) => (
            <Notice key={asked} warns>
              ไม่พบบริษัทชื่อ “{asked}”
              {similar.length > 0 && (
                <>
                  {' '}
                  ใช่รายนี้หรือไม่:{' '}
                  {similar.map((company) => (
                    <Button
                      key={company.id}
                      look="link"
                      size="sm"
                      onClick={() => compare(names.map((name) => (name === asked ? comparedName(company) : name)))}
                    >
                      {company.name}
                    </Button>
                  ))}
                </>
              )}
            </Notice>
          ))}
        </div>
      )}
      <IgnoredParams params={COMPANY_PARAMS} ignored={ignored} />
    </>
  )
}
