import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BudgetItem, BudgetSummary } from '#contract/market/budget.ts'
import { BUDGET_DEFAULT_PAGE_SIZE, BUDGET_PAGE_SIZES } from '#contract/market/budget-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { useLastDefinedValue } from '#src/lib/use-last-defined-value.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { budgetPageQuery } from '#src/market/api/budgets.ts'
import { Card } from '#src/ui/card.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { Pager } from '#src/ui/pager.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { SkeletonCards } from '#src/ui/skeleton-card.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { NoBudgetItems } from './budget-empty.tsx'
import { BudgetFilters } from './budget-filters.tsx'
import { type BudgetItemGroup, BudgetTable, groupBudgetItems } from './budget-table.tsx'
import { BudgetItemBadges, BudgetItemButton, BudgetItemStateSummary } from './item-facts.tsx'
import { BUDGET_ITEMS_ELEMENT_ID, BUDGET_LEVEL_NAMES, formatBudgetAmount } from './scope/budget-text.ts'
import { getNextBudgetLevel } from './scope/budget-url.ts'
import { type EffectiveBudgetSearch, useBudgetUrlState } from './scope/use-budget-url-state.ts'

type BudgetCardsProps = {
  items: readonly BudgetItem[]
  groups: readonly BudgetItemGroup[] | undefined
  onOpen: (id: number) => void
  isBusy: boolean
}

function BudgetCards({ items, groups, onOpen, isBusy }: BudgetCardsProps) {
  const list = (label: string, listedItems: readonly BudgetItem[]) => (
    <ul aria-label={label} aria-busy={isBusy} className="flex flex-col gap-3 aria-busy:opacity-50">
      {listedItems.map((item) => (
        <ItemCard key={item.id} item={item} onOpen={onOpen} />
      ))}
    </ul>
  )
  if (!groups) return list('รายการงบประมาณ', items)
  return groups.map(({ name, title, note, items: members }) => (
    <section key={name} aria-label={name} className="mb-4">
      <h3 className="mb-2 font-semibold">
        {title}
        <span className="block text-xs font-normal text-ink-muted tabular-nums">{note}</span>
      </h3>
      {list(`รายการของ${name}`, members)}
    </section>
  ))
}

function ItemCard({ item, onOpen }: { item: BudgetItem; onOpen: (id: number) => void }) {
  return (
    <li className="relative rounded-card border border-line bg-surface p-3.5">
      <BudgetItemButton item={item} onOpen={onOpen} className="after:absolute after:inset-0 after:rounded-card" />
      <p className="text-ink-muted">{item.unit}</p>
      <BudgetItemBadges item={item} />
      <div className="mt-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-t border-line pt-2">
        <span className="text-md font-semibold tabular-nums">
          {item.amount === null ? 'ไม่ทราบวงเงิน' : formatBudgetAmount(item.amount)}
        </span>
        <span className="text-right">
          <BudgetItemStateSummary item={item} />
        </span>
      </div>
    </li>
  )
}

const ORDERINGS = [
  { value: '-amount', th: 'วงเงินมากไปน้อย' },
  { value: 'amount', th: 'วงเงินน้อยไปมาก' },
  { value: 'description', th: 'ชื่อรายการ' },
  { value: 'unit', th: 'หน่วยรับงบประมาณ' },
  { value: 'state', th: 'สถานะ' },
] as const
type Ordering = (typeof ORDERINGS)[number]['value']

type BudgetItemsProps = {
  search: EffectiveBudgetSearch
  onOpen: (id: number) => void
  summary: BudgetSummary | undefined
}

export function BudgetItems({ search, onOpen, summary }: BudgetItemsProps) {
  const { change, showItems } = useBudgetUrlState()
  const isTable = useMediaQuery('(min-width: 48rem)')
  const [isGrouped, setIsGrouped] = useState(false)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(
    useOptimisticQueryOptions(budgetPageQuery(search)),
  )
  // Keep showing the last rows when a refetch fails; an error must not look like an empty table.
  const page = useLastDefinedValue(data)
  const isOld = isPlaceholderData || (data === undefined && page !== undefined)
  const level = getNextBudgetLevel(search)
  const ordering = (search.ordering ?? '-amount') as Ordering
  const canGroup = level !== 'item'
  const groups =
    isGrouped && canGroup && page ? groupBudgetItems(page.results, level, summary?.breakdown ?? []) : undefined
  const announcement = useLastDefinedValue(page && !isOld ? `พบ ${formatCount(page.total)} รายการ` : undefined)

  return (
    <section aria-labelledby={BUDGET_ITEMS_ELEMENT_ID} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id={BUDGET_ITEMS_ELEMENT_ID} tabIndex={-1} className="scroll-mt-16 text-lg font-semibold outline-none">
          รายการ
        </h2>
        {page && !isOld && (
          <p className="text-ink-muted tabular-nums">
            {formatCount(page.total)} รายการ · {formatBudgetAmount(page.total_amount)}
          </p>
        )}
        <VisuallyHidden live>{announcement}</VisuallyHidden>
        <div className="ml-auto flex flex-wrap items-center gap-x-4 gap-y-1 print:hidden">
          {canGroup && (
            <Checkbox checked={isGrouped} onChange={setIsGrouped}>
              จัดกลุ่มตาม{BUDGET_LEVEL_NAMES[level]}
            </Checkbox>
          )}
          <div className="flex items-center gap-2 text-ink-muted">
            <span aria-hidden>เรียงตาม</span>
            <Listbox<Ordering>
              label="เรียงตาม"
              value={ordering}
              options={ORDERINGS}
              onChange={(next) => change({ ordering: next })}
              className="h-8 touch:h-11"
            />
          </div>
        </div>
      </div>
      <BudgetFilters search={search} />
      <QueryView
        query={{ data: page, error, isFetching, refetch }}
        task="โหลดรายการ"
        staleTitle="โหลดรายการใหม่ไม่สำเร็จ แถวที่เห็นเป็นของรอบก่อน"
        skeleton={
          <SkeletonGroup label="กำลังโหลดรายการ" className="flex flex-col gap-3">
            <SkeletonCards count={5} bars={['w-2/3', 'h-3 w-1/3']} />
          </SkeletonGroup>
        }
      >
        {(page) =>
          page.results.length === 0 ? (
            <Card aria-busy={isOld} className="aria-busy:opacity-50">
              <NoBudgetItems page={page} search={search} />
            </Card>
          ) : (
            <>
              {isTable ? (
                <BudgetTable
                  items={page.results}
                  groups={groups}
                  ordering={ordering}
                  onOpen={onOpen}
                  current={search.item}
                  caption={`พบ ${formatCount(page.total)} รายการ หน้า ${formatCount(page.page)}`}
                  isBusy={isOld}
                />
              ) : (
                <BudgetCards items={page.results} groups={groups} onOpen={onOpen} isBusy={isOld} />
              )}
              <Pager
                label="หน้าของรายการ"
                page={page.page}
                pageSize={page.page_size || BUDGET_DEFAULT_PAGE_SIZE}
                total={page.total}
                sizes={BUDGET_PAGE_SIZES}
                onPage={(page) => showItems({ page })}
                onSize={(size) => change({ page_size: size })}
              />
            </>
          )
        }
      </QueryView>
    </section>
  )
}
