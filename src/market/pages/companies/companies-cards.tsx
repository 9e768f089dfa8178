import { Fact } from '#src/ui/fact.tsx'
import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import type { CompanyRow } from '#contract/market/company.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { useShowMore } from '#src/lib/use-show-more.ts'
import { Button } from '#src/ui/button.tsx'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
import { type CompaniesSelection, CompanyCheckbox } from './companies-selection.tsx'
import { CompanyLink } from './company-link.tsx'
import {
  CompanyCoverageFigure,
  CompanyLastWinFigure,
  CompanyMedianDiscountFigure,
  CompanySmeFigure,
  CompanyTopMethodFigure,
  CompanyWeightedDiscountFigure,
  CompanyWinRateFigure,
  formatCompactBahtWithUnit,
} from './company-list-figures.tsx'

type CompaniesCardsProps = {
  rows: readonly CompanyRow[]
  search: CompanySearch
  selection: CompaniesSelection
  isBusy: boolean
}

export function CompaniesCards({ rows, search, selection, isBusy }: CompaniesCardsProps) {
  const { visibleRows, nextCount, showMore } = useShowMore(rows)
  return (
    <>
      <ul
        aria-label="บริษัท"
        aria-busy={isBusy}
        className={classNames('flex flex-col gap-3 transition-opacity', isBusy && 'opacity-50')}
      >
        {visibleRows.map((row) => {
          const isChosen = selection.has(row.id)
          return (
            <li
              key={row.id}
              className={classNames(
                'rounded-card border bg-surface p-3.5',
                isChosen ? 'border-accent bg-accent-soft' : 'border-line',
              )}
            >
              <div className="flex items-start gap-2.5">
                <CompanyCheckbox company={row} selection={selection} className="touch:-my-2.5" />
                <div className="min-w-0">
                  <CompanyLink
                    ref={nameElement(`company ${row.id}`)}
                    company={row}
                    search={search}
                    className="text-md font-semibold"
                  >
                    {truncateName(row.name)}
                  </CompanyLink>
                  <p className="text-xs text-ink-faint tabular-nums">{row.tax_id ?? 'ไม่ทราบเลขประจำตัวผู้เสียภาษี'}</p>
                </div>
              </div>
              <dl className="mt-2 grid grid-cols-2 gap-x-4 gap-y-1.5 tabular-nums">
                <Fact name="ชนะ">
                  <CompanyLink company={row} search={search} rows="wins">
                    {formatCountWithSeparators(row.wins)} โครงการ
                  </CompanyLink>
                </Fact>
                <Fact name="มูลค่า">{formatOrUnknown(row.value, formatCompactBahtWithUnit)}</Fact>
                <Fact name="อัตราชนะ">
                  <CompanyWinRateFigure row={row} />
                </Fact>
                <Fact name={DISCOUNT_TEXTS.weighted.th} means={DISCOUNT_TEXTS.weighted.means}>
                  <CompanyWeightedDiscountFigure row={row} />
                </Fact>
                <Fact name={DISCOUNT_TEXTS.median.th} means={DISCOUNT_TEXTS.median.means}>
                  <CompanyMedianDiscountFigure row={row} />
                </Fact>
                <Fact name="หน่วยงาน">{formatCountWithSeparators(row.departments)}</Fact>
                <Fact name="วิธีที่ชนะมากสุด">
                  <CompanyTopMethodFigure row={row} />
                </Fact>
                <Fact name="ชนะล่าสุด">
                  <CompanyLastWinFigure row={row} />
                </Fact>
                <Fact name="SME">
                  <CompanySmeFigure row={row} />
                </Fact>
                <Fact name="ข้อมูลผู้ยื่น">
                  <CompanyCoverageFigure row={row} />
                </Fact>
              </dl>
            </li>
          )
        })}
      </ul>
      {nextCount > 0 && (
        <Button className="print:hidden" onClick={showMore}>
          แสดงอีก {formatCountWithSeparators(nextCount)}
        </Button>
      )}
    </>
  )
}
