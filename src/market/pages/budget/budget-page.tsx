import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { BudgetYears } from '#contract/market/budget.ts'
import { BUDGET_PARAMS } from '#contract/market/budget-params.ts'
import { formatSearchNode } from '#contract/search/format-search-node.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { useLastDefinedValue } from '#src/lib/use-last-defined-value.ts'
import { budgetPageQuery, budgetSummaryQuery, budgetYearsQuery } from '#src/market/api/budgets.ts'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { SkeletonCard, SkeletonCards } from '#src/ui/skeleton-card.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { BudgetYearWithoutData, NoBudgetKeywords, NoBudgetYears } from './budget-empty.tsx'
import { BudgetItemPanel } from './budget-item-panel.tsx'
import { BudgetItems } from './budget-items.tsx'
import { BudgetYearTabs } from './budget-year-tabs.tsx'
import { BudgetFigures } from './figures/budget-figures.tsx'
import { BUDGET_RESULTS_ELEMENT_ID } from './scope/budget-text.ts'
import { type EffectiveBudgetSearch, useBudgetUrlState, useHasKeywords } from './scope/use-budget-url-state.ts'

/** Returns the year in the URL if the subscription package includes it, otherwise the newest included year (D14). */
export function chooseBudgetYear({ years }: Pick<BudgetYears, 'years'>, requestedYear: number | undefined) {
  const allowed = years.filter(({ is_allowed }) => is_allowed).map(({ fiscal_year }) => fiscal_year)
  if (requestedYear !== undefined && allowed.includes(requestedYear))
    return { year: requestedYear, replaced: undefined }
  return { year: allowed.length === 0 ? undefined : Math.max(...allowed), replaced: requestedYear }
}

export function BudgetPage() {
  const years = useQuery(budgetYearsQuery)
  return (
    <div className="mx-auto flex w-full max-w-[1272px] flex-col gap-4 px-4 pt-4 pb-10 lg:px-5">
      <QueryView
        query={years}
        task="โหลดปีงบประมาณ"
        barsClassName="flex gap-4 border-b border-line pb-3"
        bars={['w-20', 'w-20']}
        forbidden={
          <EmptyCard icon={Lock} title="บัญชีของคุณไม่มีสิทธิ์ดูงบประมาณประจำปี">
            ติดต่อผู้ดูแลองค์กรของคุณเพื่อขอสิทธิ์
          </EmptyCard>
        }
        frame={(screen) => (
          <>
            <Heading />
            {screen}
          </>
        )}
      >
        {(budgetYears) => <BudgetYearsView {...budgetYears} />}
      </QueryView>
    </div>
  )
}

function Heading() {
  return <h1 className="text-xl font-semibold">งบประมาณประจำปี</h1>
}

const SCOPES = [
  { value: 'matched', label: 'รายการที่ตรงคำติดตาม' },
  { value: 'all', label: 'ทุกรายการ' },
] as const

function BudgetYearsView({ years }: BudgetYears) {
  const { search, ignored, change } = useBudgetUrlState()
  const { is_access_budget_year_only: isBudgetOnly } = useOrganisation()
  const hasWords = useHasKeywords()
  const { year, replaced } = chooseBudgetYear({ years }, search.year)
  const [replacedYear, setReplacedYear] = useState<{ requestedYear: number; shownYear: number }>()
  useEffect(() => {
    if (year === undefined || replaced === undefined) return
    setReplacedYear({ requestedYear: replaced, shownYear: year })
    change({ year, item: undefined }, 'replace')
  }, [year, replaced, change])
  if (year === undefined) {
    return (
      <>
        <Heading />
        <NoBudgetYears years={years} />
      </>
    )
  }

  // Without keywords, and without access to the page that sets them, the user can only view everything.
  const isAllOnly = isBudgetOnly && !hasWords
  const scope = isAllOnly ? 'all' : (search.scope ?? 'matched')
  const yearsWithData = years.filter(({ is_allowed, items }) => is_allowed && items !== 0).map((of) => of.fiscal_year)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Heading />
        {isAllOnly ? (
          <p className="text-ink-muted">องค์กรของคุณไม่มีคำติดตาม จึงแสดงทุกรายการ</p>
        ) : (
          <Tabs
            label="ขอบเขตของรายการ"
            variant="segment"
            items={SCOPES}
            value={scope}
            onChange={(next) => change({ scope: next })}
            panelId={BUDGET_RESULTS_ELEMENT_ID}
            className="sm:ml-auto"
          />
        )}
      </div>
      <BudgetYearTabs years={years} year={year} />
      {replacedYear?.shownYear === year && (
        <Notice role="status" warns onClose={() => setReplacedYear(undefined)}>
          ปี {replacedYear.requestedYear} ไม่อยู่ในแพ็กเกจขององค์กร จึงแสดงปี {year} แทน
        </Notice>
      )}
      <IgnoredParamsNotice params={BUDGET_PARAMS} ignored={ignored} />
      <div
        id={BUDGET_RESULTS_ELEMENT_ID}
        role="tabpanel"
        aria-label={`งบประมาณปี ${year}`}
        className="flex min-w-0 flex-col gap-4 outline-none"
      >
        {!yearsWithData.includes(year) ? (
          <BudgetYearWithoutData year={year} otherYears={yearsWithData} />
        ) : scope === 'matched' && !hasWords ? (
          <NoBudgetKeywords />
        ) : (
          <BudgetYearView search={{ ...search, year, scope }} />
        )}
      </div>
    </>
  )
}

function useOpenItem(item: number | undefined) {
  const { change } = useBudgetUrlState()
  const { history } = useRouter()
  const openedIndex = useRef<number>(undefined)
  return {
    open: (id: number) => {
      if (item === undefined) openedIndex.current = history.location.state.__TSR_index + 1
      change({ item: id }, item === undefined ? 'push' : 'replace')
    },
    close: () => {
      if (item === undefined) return
      // Go back instead of pushing, so that closing leaves no duplicate history entry.
      if (openedIndex.current === history.location.state.__TSR_index) history.back()
      else change({ item: undefined }, 'replace')
      openedIndex.current = undefined
    },
  }
}

function BudgetYearView({ search }: { search: EffectiveBudgetSearch }) {
  const { showItems } = useBudgetUrlState()
  const { data, error, errorUpdateCount, failureCount, isFetching, isPlaceholderData, refetch } = useQuery(
    budgetSummaryQuery(search),
  )
  usePrefetchQuery(budgetPageQuery(search))
  const summary = useLastDefinedValue(data)
  const { open, close } = useOpenItem(search.item)
  const openByName = (description: string) => {
    const rows = queryClient.getQueryData(budgetPageQuery(search).queryKey)?.results
    const row = rows?.find((candidate) => candidate.description === description)
    if (row) return open(row.id)
    showItems({ q: formatSearchNode({ kind: 'term', text: description, quoted: true }) })
  }
  return (
    <>
      <QueryView
        query={{ data: summary, error, isFetching, refetch }}
        task="โหลดตัวเลข"
        staleTitle="คำนวณตัวเลขใหม่ไม่สำเร็จ ที่เห็นเป็นของรอบก่อน"
        skeleton={
          <SkeletonGroup label="กำลังโหลดตัวเลข" className="flex flex-col gap-4">
            <SkeletonCard bars={['h-3 w-1/2', 'h-7 w-3/4', 'h-3 w-2/3']} className="gap-3 p-5" />
            <div className="grid gap-4 lg:grid-cols-2">
              <SkeletonCards count={2} bars={['w-1/2']} className="h-72 p-5" />
            </div>
          </SkeletonGroup>
        }
      >
        {(summary) => (
          <BudgetFigures
            summary={summary}
            isOld={isPlaceholderData || data === undefined}
            search={search}
            onItem={openByName}
          />
        )}
      </QueryView>
      {/* Rows rendered before the figures above them would shift down later. */}
      {(summary || failureCount + errorUpdateCount > 0) && (
        <BudgetItems search={search} onOpen={open} summary={summary} />
      )}
      <BudgetItemPanel id={search.item} onClose={close} />
    </>
  )
}
