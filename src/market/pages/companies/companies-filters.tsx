import { useId } from 'react'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { MoneyRangeFields } from '#src/report/filter/money-range-fields.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import type { ChangeCompaniesSearchFn } from './use-companies-url-state.ts'

export function CompaniesFilters({ search, change }: { search: CompanySearch; change: ChangeCompaniesSearchFn }) {
  const id = useId()
  return (
    <>
      <fieldset aria-labelledby={id} className="flex items-start gap-1.5">
        <span id={id} className="flex h-9 items-center whitespace-nowrap text-ink-muted touch:h-11">
          มูลค่าที่ชนะ
        </span>
        <MoneyRangeFields
          name="มูลค่าที่ชนะ"
          range={search.company_value__range}
          onChange={(range) => change({ company_value__range: range })}
          className="w-32 max-md:flex-1"
        />
      </fieldset>
      <Checkbox
        checked={search.check_sme === true}
        onChange={(on) => change({ check_sme: on ? true : undefined })}
        className="items-center!"
      >
        เฉพาะ SME
      </Checkbox>
      <span title="เคยยื่นเสนอราคาในโครงการที่คุณติดดาว">
        <Checkbox
          checked={search.met === true}
          onChange={(on) => change({ met: on ? true : undefined })}
          className="items-center!"
        >
          เคยพบกับเรา
        </Checkbox>
      </span>
    </>
  )
}
