import type { UseQueryResult } from '@tanstack/react-query'
import { Building2, FilterX, SearchX } from 'lucide-react'
import { type CompanyList, MIN_DISCOUNTS_TO_RANK } from '#contract/market/company.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { truncateName } from '#src/lib/truncate-name.ts'
import { CompanyLink } from '#src/market/company-link.tsx'
import { StatisticsForbidden } from '#src/market/statistics-scope/statistics-page-states.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { SkeletonCards } from '#src/ui/skeleton-card.tsx'
import { describeCompanyOrdering, isDiscountOrdering } from './companies-columns.tsx'
import { CompaniesCards, CompaniesTable } from './companies-table.tsx'
import type { CompaniesSelection } from './use-companies-selection.ts'
import { useCompaniesUrlState } from './use-companies-url-state.ts'

function CompaniesEmpty({ list: { total, page, page_size: size, similar, scope } }: { list: CompanyList }) {
  const { search, change, clear } = useCompaniesUrlState()
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

type CompaniesResultsProps = {
  query: UseQueryResult<CompanyList>
  selection: CompaniesSelection
  isTable: boolean
}

export function CompaniesResults({ query, selection, isTable }: CompaniesResultsProps) {
  const isOld = query.isPlaceholderData
  const { ordering } = useCompaniesUrlState()
  return (
    <QueryView
      query={query}
      task="โหลดรายการบริษัท"
      staleTitle="โหลดรายการใหม่ไม่สำเร็จ แถวที่เห็นเป็นของเดิม"
      skeleton={
        <SkeletonGroup label="กำลังโหลดบริษัท" className={isTable ? '' : 'flex flex-col gap-3'}>
          {isTable ? (
            <SkeletonCards count={8} bars={['w-11/12', 'h-3 w-28']} className="gap-2 px-3 py-3.5" />
          ) : (
            <SkeletonCards count={4} bars={['w-11/12', 'h-3 w-28', 'w-2/3', 'w-1/2']} />
          )}
        </SkeletonGroup>
      }
      forbidden={
        query.error && (
          <Card>
            <StatisticsForbidden title="องค์กรของคุณยังไม่ได้เปิดใช้ข้อมูลบริษัท" error={query.error} />
          </Card>
        )
      }
    >
      {(list) => (
        <>
          {isDiscountOrdering(ordering) && (
            <p className="text-sm text-ink-muted">
              จัดอันดับเฉพาะบริษัทที่คิดส่วนลดได้อย่างน้อย {MIN_DISCOUNTS_TO_RANK} งาน บริษัทที่มีน้อยกว่านั้นอยู่ต่อท้ายเป็นสีจาง
            </p>
          )}
          {list.results.length === 0 ? (
            <Card aria-busy={isOld} className="aria-busy:opacity-50">
              <CompaniesEmpty list={list} />
            </Card>
          ) : isTable ? (
            <CompaniesTable
              rows={list.results}
              selection={selection}
              total={list.total}
              offset={(list.page - 1) * list.page_size}
              caption={`พบ ${formatCount(list.total)} บริษัท หน้า ${list.page} เรียงตาม${describeCompanyOrdering(ordering)}`}
              isBusy={isOld}
            />
          ) : (
            <CompaniesCards rows={list.results} selection={selection} isBusy={isOld} />
          )}
        </>
      )}
    </QueryView>
  )
}
