import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Building2, FilterX, Lock, SearchX } from 'lucide-react'
import { type CompanyList, MIN_DISCOUNTS_TO_RANK, type CompanyRow } from '#contract/market/company.ts'
import type { CompanySearch } from '#contract/market/company-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { COMPANY_SORT_LABELS, isDiscountSorting, parseCompanySorting } from './companies-columns.tsx'
import { type CompaniesSelection, CompanyCheckbox } from './companies-selection.tsx'
import { CompaniesTable } from './companies-table.tsx'
import { CompanyLink } from './company-link.tsx'
import type { CompaniesUrlState } from './use-companies-url-state.ts'
import { Fact } from '#src/ui/fact.tsx'
import { DISCOUNT_TEXTS } from '#contract/catalogue/discount.ts'
import { classNames } from '#src/lib/class-names.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { useShowMore } from '#src/lib/use-show-more.ts'
import { formatOrUnknown } from '#src/ui/unknown-value.tsx'
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

type CompaniesEmptyProps = Pick<CompaniesUrlState, 'change' | 'clear'> & { list: CompanyList; search: CompanySearch }

function CompaniesEmpty({ list, search, change, clear }: CompaniesEmptyProps) {
  const { total, page, page_size: size, similar, scope } = list
  if (total > 0) {
    const lastPage = Math.ceil(total / size)
    return (
      <EmptyState
        icon={SearchX}
        title={`ไม่มีหน้า ${formatCount(page)}`}
        actions={
          <Button onClick={() => change({ page: lastPage === 1 ? undefined : lastPage })}>
            ไปหน้าสุดท้าย ({formatCount(lastPage)})
          </Button>
        }
      >
        รายการนี้มี {formatCount(total)} บริษัท ถึงหน้า {formatCount(lastPage)}
      </EmptyState>
    )
  }
  const names = search.project_winner_name__in
  if (names) {
    return (
      <EmptyState
        icon={SearchX}
        title="ไม่พบบริษัทชื่อนี้"
        actions={
          <>
            <Button variant="primary" onClick={() => change({ project_winner_name__in: undefined })}>
              ล้างคำค้น
            </Button>
            <Button onClick={clear}>ล้างตัวกรองทั้งหมด</Button>
          </>
        }
      >
        ในขอบเขตที่เลือกไม่มีชื่อหรือเลขประจำตัวผู้เสียภาษีที่มี {names.map((name) => `“${name}”`).join(' หรือ ')}
        {similar.length > 0 && (
          <>
            <p className="mt-3 font-medium text-ink">ใกล้เคียง:</p>
            <ul className="mt-1 space-y-1">
              {similar.map((company) => (
                // Suggested companies are outside the page's scope, so their pages open without it.
                <li key={company.id}>
                  <CompanyLink company={company} search={{}} className="text-accent-ink">
                    {truncateName(company.name)}
                  </CompanyLink>
                </li>
              ))}
            </ul>
          </>
        )}
      </EmptyState>
    )
  }
  if (scope.computed_at === null) {
    return (
      <EmptyState icon={Building2} title="ยังไม่มีข้อมูลบริษัท">
        รายชื่อบริษัทจะมาพร้อมกับการนำเข้าโครงการครั้งแรก
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={FilterX}
      title="ไม่มีบริษัทที่ตรงกับตัวกรองทั้งหมดนี้"
      actions={
        <>
          {search.scope === 'watch' && (
            <Button variant="primary" onClick={() => change({ scope: undefined })}>
              ดูทุกโครงการ
            </Button>
          )}
          <Button onClick={clear}>ล้างตัวกรองทั้งหมด</Button>
        </>
      }
    >
      {scope.n === 0 ? 'ขอบเขตที่เลือกยังไม่มีโครงการที่รู้ผู้ชนะหรือผู้ยื่น' : 'เอาตัวกรองออกทีละตัว หรือล้างทั้งหมดเพื่อเริ่มใหม่'}
    </EmptyState>
  )
}

function CompaniesForbidden({ error }: { error: Error }) {
  return (
    <EmptyState
      icon={Lock}
      title="องค์กรของคุณยังไม่ได้เปิดใช้ข้อมูลบริษัท"
      actions={
        <Link to="/report" className={getButtonClasses('primary')}>
          ไปรายงานโครงการ
        </Link>
      }
    >
      {getErrorText(error)}
    </EmptyState>
  )
}

const ROWS = ['w-11/12', 'w-3/4', 'w-10/12', 'w-2/3', 'w-11/12', 'w-4/5', 'w-3/4', 'w-10/12'] as const

function CompaniesSkeleton({ isTable }: { isTable: boolean }) {
  if (!isTable)
    return (
      <SkeletonGroup label="กำลังโหลดบริษัท" className="flex flex-col gap-3">
        {ROWS.slice(0, 4).map((width) => (
          <div key={width} className="rounded-card border border-line bg-surface p-3.5">
            <Skeleton className={width} />
            <Skeleton className="mt-2 w-28" />
            <Skeleton className="mt-5 w-2/3" />
            <Skeleton className="mt-2 w-1/2" />
          </div>
        ))}
      </SkeletonGroup>
    )
  return (
    <SkeletonGroup label="กำลังโหลดบริษัท" className="overflow-hidden rounded-card border border-line bg-surface">
      <div className="h-10 border-b border-line bg-surface-muted" />
      {withReactKeys(ROWS, String).map(({ key, item: width }) => (
        <div key={key} className="flex items-start gap-6 border-b border-line px-3 py-3.5">
          <Skeleton className="size-4 shrink-0" />
          <div className="w-72 shrink-0">
            <Skeleton className={width} />
            <Skeleton className="mt-2 h-3 w-28" />
          </div>
          <Skeleton className="w-14 shrink-0" />
          <Skeleton className="w-28 shrink-0" />
          <Skeleton className="flex-1" />
          <Skeleton className="w-20 shrink-0" />
        </div>
      ))}
    </SkeletonGroup>
  )
}

type CompaniesResultsProps = Pick<CompaniesUrlState, 'change' | 'clear'> & {
  query: UseQueryResult<CompanyList>
  search: CompanySearch
  selection: CompaniesSelection
  isTable: boolean
}

export function CompaniesResults({ query, search, selection, isTable, change, clear }: CompaniesResultsProps) {
  const isOld = query.isPlaceholderData
  const { field, isDescending } = parseCompanySorting(search.ordering)
  const sortedBy = COMPANY_SORT_LABELS.find((label) => label.field === field)?.th
  return (
    <QueryView
      query={query}
      task="โหลดรายการบริษัท"
      staleTitle="โหลดรายการใหม่ไม่สำเร็จ แถวที่เห็นเป็นของเดิม"
      skeleton={<CompaniesSkeleton isTable={isTable} />}
      forbidden={
        query.error && (
          <Card>
            <CompaniesForbidden error={query.error} />
          </Card>
        )
      }
    >
      {(list) => (
        <>
          {isDiscountSorting(parseCompanySorting(search.ordering)) && (
            <p className="text-sm text-ink-muted">
              จัดอันดับเฉพาะบริษัทที่คิดส่วนลดได้อย่างน้อย {MIN_DISCOUNTS_TO_RANK} งาน บริษัทที่มีน้อยกว่านั้นอยู่ต่อท้ายเป็นสีจาง
            </p>
          )}
          {list.results.length === 0 ? (
            <Card className={isOld ? 'opacity-50' : ''}>
              <CompaniesEmpty list={list} search={search} change={change} clear={clear} />
            </Card>
          ) : isTable ? (
            <CompaniesTable
              rows={list.results}
              search={search}
              change={change}
              selection={selection}
              total={list.total}
              offset={(list.page - 1) * list.page_size}
              caption={`พบ ${formatCount(list.total)} บริษัท หน้า ${list.page} เรียงตาม${sortedBy} ${isDescending ? 'มากไปน้อย' : 'น้อยไปมาก'}`}
              isBusy={isOld}
            />
          ) : (
            <CompaniesCards rows={list.results} search={search} selection={selection} isBusy={isOld} />
          )}
        </>
      )}
    </QueryView>
  )
}

type CompaniesCardsProps = {
  rows: readonly CompanyRow[]
  search: CompanySearch
  selection: CompaniesSelection
  isBusy: boolean
}

function CompaniesCards({ rows, search, selection, isBusy }: CompaniesCardsProps) {
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
                    {formatCount(row.wins)} โครงการ
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
                <Fact name="หน่วยงาน">{formatCount(row.departments)}</Fact>
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
          แสดงอีก {formatCount(nextCount)}
        </Button>
      )}
    </>
  )
}
