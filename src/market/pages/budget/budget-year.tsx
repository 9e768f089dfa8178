import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useRef } from 'react'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { formatSearchNode } from '#contract/search/format-search-node.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { useLastDefinedValue } from '#src/lib/use-last-defined-value.ts'
import { budgetPageQuery, budgetSummaryQuery } from '#src/market/api/budgets.ts'
import { Card } from '#src/ui/card.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'
import { BudgetItems } from './budget-items.tsx'
import { BudgetFigures } from './figures/budget-figures.tsx'
import { focusBudgetItems } from './scope/budget-text.ts'
import type { ChangeBudgetSearchFn } from './scope/budget-url.ts'

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

const ItemPanel = lazyComponent(() => import('./budget-item-panel.tsx'), 'BudgetItemPanel')

type BudgetYearProps = {
  /** Search of the page, with the effective year and scope even when the URL omits them. */
  search: BudgetSearch & { readonly year: number }
  change: ChangeBudgetSearchFn
  onYear: (year: number) => void
  hasWords: boolean
  hasReport: boolean
}

export function BudgetYearView({ search, change, onYear, hasWords, hasReport }: BudgetYearProps) {
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
        errorTitle="โหลดตัวเลขไม่สำเร็จ"
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
      <LazyBoundary>
        <ItemPanel
          id={search.item}
          onClose={close}
          onOther={(item, year) => change({ item, year }, 'replace')}
          hasReport={hasReport}
        />
      </LazyBoundary>
    </>
  )
}

const SKELETON_CELLS = ['items', 'amount', 'change', 'announced', 'awarded', 'discount']

function FiguresSkeleton() {
  return (
    <SkeletonGroup label="กำลังโหลดตัวเลข" className="flex flex-col gap-4">
      <Card className="grid grid-cols-2 gap-4 p-5 md:grid-cols-3 xl:grid-cols-6">
        {SKELETON_CELLS.map((cell) => (
          <span key={cell} className="flex flex-col gap-2">
            <Skeleton className="h-3 w-1/2" />
            <Skeleton className="h-7 w-3/4" />
          </span>
        ))}
      </Card>
      <div className="grid gap-4 lg:grid-cols-2">
        <Card className="h-72 p-5">
          <Skeleton className="w-1/2" />
        </Card>
        <Card className="h-72 p-5">
          <Skeleton className="w-1/2" />
        </Card>
      </div>
    </SkeletonGroup>
  )
}
