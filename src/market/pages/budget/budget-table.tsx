import type { BudgetItem, BudgetLevel, BudgetSummary } from '#contract/market/budget.ts'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { DataTable, type DataTableColumn, getColumnOrder } from '#src/ui/data-table.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { BudgetItemBadges, BudgetItemButton, BudgetItemStateSummary } from './item-facts.tsx'
import { BUDGET_LEVEL_NAMES, formatBudgetAmount, getBudgetLevelName } from './scope/budget-text.ts'
import { useBudgetUrlState } from './scope/use-budget-url-state.ts'

export type BudgetItemGroup = {
  readonly name: string
  readonly title: string
  /** Totals of all matching items, not only those on this page, if the breakdown has the group. */
  readonly note: string
  readonly items: readonly BudgetItem[]
}

export function groupBudgetItems(
  items: readonly BudgetItem[],
  level: BudgetLevel,
  breakdown: BudgetSummary['breakdown'],
): BudgetItemGroup[] {
  return [...Map.groupBy(items, (item) => getBudgetLevelName(item, level))].map(([name, members]) => {
    const total = breakdown.find((row) => row.name === name)
    const onPage = formatCount(members.length)
    return {
      name,
      title: name || `ไม่ระบุ${BUDGET_LEVEL_NAMES[level]}`,
      note: total
        ? `รวม ${formatCount(total.n)} รายการ · ${formatBudgetAmount(total.amount)} · ในหน้านี้ ${onPage}`
        : `ในหน้านี้ ${onPage} รายการ`,
      items: members,
    }
  })
}

type Ordering = NonNullable<BudgetSearch['ordering']>
type SortField = Exclude<Ordering, `-${string}`>

type BudgetTableProps = {
  items: readonly BudgetItem[]
  groups: readonly BudgetItemGroup[] | undefined
  ordering: Ordering
  onOpen: (id: number) => void
  current: number | undefined
  caption: string
  isBusy: boolean
}

const COLUMNS: readonly (DataTableColumn<BudgetItem> & { readonly by?: SortField })[] = [
  {
    head: 'หน่วยรับงบประมาณ',
    by: 'unit',
    className: 'min-w-44',
    cell: ({ unit, ministry }) => (
      <>
        {unit}
        <span className="block text-xs text-ink-muted">{ministry}</span>
      </>
    ),
  },
  {
    head: 'หมวดรายจ่าย',
    className: 'min-w-36 max-lg:hidden',
    cell: ({ categories }) => categories[0] ?? <UnknownValue />,
  },
  { head: 'วงเงิน (บาท)', by: 'amount', isNumeric: true, cell: ({ amount }) => formatOrUnknown(amount, formatBaht) },
  {
    head: 'สถานะ',
    by: 'state',
    className: 'whitespace-nowrap',
    cell: (item) => <BudgetItemStateSummary item={item} />,
  },
]

export function BudgetTable({ items, groups, ordering, onOpen, current, caption, isBusy }: BudgetTableProps) {
  const { change } = useBudgetUrlState()
  const sortingOf = (by: SortField) => ({
    order: getColumnOrder(ordering, by),
    onSort: () => change({ ordering: by === 'amount' && ordering !== '-amount' ? '-amount' : by }),
  })
  return (
    <DataTable
      caption={caption}
      frame="overflow-x-auto rounded-card border border-line bg-surface"
      isBusy={isBusy}
      rows={items}
      groups={groups?.map(({ name, title, note, items: rows }) => ({
        name,
        rows,
        heading: (
          <span className="flex flex-wrap items-baseline gap-x-3">
            <span className="font-semibold">{title}</span>
            <span className="text-xs text-ink-muted tabular-nums">{note}</span>
          </span>
        ),
      }))}
      getKey={({ id }) => id}
      getRowClassName={({ id }) => (id === current ? 'bg-accent-soft' : 'hover:bg-surface-muted')}
      columns={[
        {
          head: 'รายการ',
          sorting: sortingOf('description'),
          className: 'min-w-64',
          cell: (item) => (
            <>
              <BudgetItemButton item={item} onOpen={onOpen} />
              <BudgetItemBadges item={item} />
            </>
          ),
        },
        ...COLUMNS.map(({ by, ...column }) => ({ ...column, sorting: by && sortingOf(by) })),
      ]}
    />
  )
}
