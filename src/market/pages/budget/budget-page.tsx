import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { IgnoredQueryParam } from '#contract/http/query-params.ts'
import type { BudgetYears } from '#contract/market/budget.ts'
import { BUDGET_PARAMS, type BudgetSearch } from '#contract/market/budget-params.ts'
import { formatSearchNode } from '#contract/search/format-search-node.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { useLastDefinedValue } from '#src/lib/use-last-defined-value.ts'
import { useSearchState } from '#src/lib/use-search-state.ts'
import { budgetPageQuery, budgetSummaryQuery, budgetYearsQuery } from '#src/market/api/budgets.ts'
import { BudgetFigures } from '#src/market/pages/budget/figures/budget-figures.tsx'
import { IgnoredParamsNotice } from '#src/report/ignored-params/ignored-params-notice.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { SkeletonCard, SkeletonCards } from '#src/ui/skeleton-card.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { BudgetForbidden, BudgetYearWithoutData, NoBudgetKeywords, NoBudgetYears } from './budget-empty.tsx'
import { BudgetItemPanel } from './budget-item-panel.tsx'
import { BudgetItems } from './budget-items.tsx'
import { BudgetYearTabs } from './budget-year-tabs.tsx'
import { BUDGET_RESULTS_ELEMENT_ID, focusBudgetItems } from './scope/budget-text.ts'
import { applyBudgetUrlPatch, type ChangeBudgetSearchFn } from './scope/budget-url.ts'

const route = getRouteApi('/_app/budget')

const useBudgetAddress = () => useSearchState<BudgetSearch>(route.useSearch(), route.useNavigate(), applyBudgetUrlPatch)

type BudgetNoticesProps = {
  replaced: { readonly requestedYear: number; readonly shownYear: number } | undefined
  ignored: readonly IgnoredQueryParam[]
}

function BudgetNotices({ replaced, ignored }: BudgetNoticesProps) {
  const [closedYear, setClosedYear] = useState<number>()
  return (
    <>
      {replaced && replaced.requestedYear !== closedYear && (
        <div role="status">
          <Notice warns onClose={() => setClosedYear(replaced.requestedYear)}>
            ปี {replaced.requestedYear} ไม่อยู่ในแพ็กเกจขององค์กร จึงแสดงปี {replaced.shownYear} แทน
          </Notice>
        </div>
      )}
      <IgnoredParamsNotice params={BUDGET_PARAMS} ignored={ignored} />
    </>
  )
}

type YearChoice = {
  readonly year: number | undefined
  readonly replaced: number | undefined
}

/** Returns the year in the URL if the subscription package includes it, otherwise the newest included year (D14). */
export function chooseBudgetYear({ years }: Pick<BudgetYears, 'years'>, requestedYear: number | undefined): YearChoice {
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
        forbidden={<BudgetForbidden />}
        frame={(screen) => (
          <>
            <Heading />
            {screen}
          </>
        )}
      >
        {(budgetYears) => <BudgetYearsView years={budgetYears} />}
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

function BudgetYearsView({ years }: { years: BudgetYears }) {
  const { search, ignored, change } = useBudgetAddress()
  const organisation = useOrganisation()
  const { year, replaced } = chooseBudgetYear(years, search.year)
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
        <NoBudgetYears years={years.years} />
      </>
    )
  }

  const isBudgetOnly = organisation.is_access_budget_year_only
  const { include, ai_include, deptsub_include } = organisation
  const hasWords = include.length + ai_include.length + deptsub_include.length > 0
  // Without keywords, and without access to the page that sets them, the user can only view everything.
  const isAllOnly = isBudgetOnly && !hasWords
  const scope = isAllOnly ? 'all' : (search.scope ?? 'matched')
  const onYear = (next: number) => change({ year: next, item: undefined })
  const withData = years.years.filter(({ is_allowed, items }) => is_allowed && items !== 0)
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
      <BudgetYearTabs years={years} year={year} onChange={onYear} />
      <BudgetNotices replaced={replacedYear?.shownYear === year ? replacedYear : undefined} ignored={ignored} />
      <div
        id={BUDGET_RESULTS_ELEMENT_ID}
        role="tabpanel"
        aria-label={`งบประมาณปี ${year}`}
        className="flex min-w-0 flex-col gap-4 outline-none"
      >
        {!withData.some(({ fiscal_year }) => fiscal_year === year) ? (
          <BudgetYearWithoutData
            year={year}
            otherYears={withData.map(({ fiscal_year }) => fiscal_year)}
            onYear={onYear}
          />
        ) : scope === 'matched' && !hasWords ? (
          <NoBudgetKeywords onAll={() => change({ scope: 'all' })} />
        ) : (
          <BudgetYearView
            search={{ ...search, year, scope }}
            change={change}
            onYear={onYear}
            hasWords={hasWords}
            hasReport={!isBudgetOnly}
          />
        )}
      </div>
    </>
  )
}

function useOpenItem(item: number | undefined, change: ChangeBudgetSearchFn) {
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

type BudgetYearProps = {
  /** Search of the page, with the effective year and scope even when the URL omits them. */
  search: BudgetSearch & { readonly year: number }
  change: ChangeBudgetSearchFn
  onYear: (year: number) => void
  hasWords: boolean
  hasReport: boolean
}

function BudgetYearView({ search, change, onYear, hasWords, hasReport }: BudgetYearProps) {
  const { data, error, errorUpdateCount, failureCount, isFetching, isPlaceholderData, refetch } = useQuery(
    budgetSummaryQuery(search),
  )
  usePrefetchQuery(budgetPageQuery(search))
  const summary = useLastDefinedValue(data)
  const { open, close } = useOpenItem(search.item, change)
  const openByName = (description: string) => {
    const rows = queryClient.getQueryData(budgetPageQuery(search).queryKey)?.results
    const row = rows?.find((candidate) => candidate.description === description)
    if (row) return open(row.id)
    change({ q: formatSearchNode({ kind: 'term', text: description, quoted: true }) })
    focusBudgetItems()
  }
  return (
    <>
      <QueryView
        query={{ data: summary, error, isFetching, refetch }}
        task="โหลดตัวเลข"
        staleTitle="คำนวณตัวเลขใหม่ไม่สำเร็จ ที่เห็นเป็นของรอบก่อน"
        skeleton={<FiguresSkeleton />}
      >
        {(summary) => (
          <BudgetFigures
            summary={summary}
            isOld={isPlaceholderData || data === undefined}
            search={search}
            change={change}
            onYear={onYear}
            onItem={openByName}
          />
        )}
      </QueryView>
      {/* Rows rendered before the figures above them would shift down later. */}
      {(summary || failureCount + errorUpdateCount > 0) && (
        <BudgetItems
          search={search}
          year={search.year}
          change={change}
          onOpen={open}
          hasWords={hasWords}
          summary={summary}
        />
      )}
      <BudgetItemPanel
        id={search.item}
        onClose={close}
        onOther={(item, year) => change({ item, year }, 'replace')}
        hasReport={hasReport}
      />
    </>
  )
}

function FiguresSkeleton() {
  return (
    <SkeletonGroup label="กำลังโหลดตัวเลข" className="flex flex-col gap-4">
      <SkeletonCard bars={['h-3 w-1/2', 'h-7 w-3/4', 'h-3 w-2/3']} className="gap-3 p-5" />
      <div className="grid gap-4 lg:grid-cols-2">
        <SkeletonCards count={2} bars={['w-1/2']} className="h-72 p-5" />
      </div>
    </SkeletonGroup>
  )
}
