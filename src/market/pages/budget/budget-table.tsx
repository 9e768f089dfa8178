import type { BudgetItem } from '#contract/market/budget.ts'
import type { BudgetSearch } from '#contract/market/budget-params.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getColumnOrder, SortButton } from '#src/ui/data-table.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { BudgetItemBadges, BudgetItemButton, BudgetItemStateSummary } from './item-facts.tsx'
import type { BudgetItemGroup } from './item-groups.ts'
import type { ChangeBudgetSearchFn } from './scope/budget-url.ts'

type Ordering = NonNullable<BudgetSearch['ordering']>
type SortField = Exclude<Ordering, `-${string}`>

type BudgetTableProps = {
  items: readonly BudgetItem[]
  groups: readonly BudgetItemGroup[] | undefined
  ordering: Ordering
  change: ChangeBudgetSearchFn
  onOpen: (id: number) => void
  current: number | undefined
  caption: string
  isBusy: boolean
}

const COLUMNS: readonly { readonly title: string; readonly by?: SortField; readonly className?: string }[] = [
  { title: 'รายการ', by: 'description' },
  { title: 'หน่วยรับงบประมาณ', by: 'unit' },
  { title: 'หมวดรายจ่าย', className: 'max-lg:hidden' },
  { title: 'วงเงิน (บาท)', by: 'amount', className: 'text-right' },
  { title: 'สถานะ', by: 'state' },
]

export function BudgetTable(props: BudgetTableProps) {
  const { items, groups, ordering, change, onOpen, current, caption, isBusy } = props
  const row = (item: BudgetItem) => (
    <ItemRow key={item.id} item={item} onOpen={onOpen} isCurrent={item.id === current} />
  )
  return (
    <section
      aria-label="ตารางรายการงบประมาณ"
      tabIndex={0}
      aria-busy={isBusy}
      className={classNames('overflow-x-auto rounded-card border border-line bg-surface', isBusy && 'opacity-50')}
    >
      <table className="w-full border-collapse text-table">
        <caption className="sr-only">{caption}</caption>
        <thead className="text-xs text-ink-muted">
          <tr className="border-b border-line">
            {COLUMNS.map(({ title, by, className }) => (
              <th
                key={title}
                scope="col"
                aria-sort={by && getColumnOrder(ordering, by)}
                className={classNames('px-3 py-2 text-left font-medium', className)}
              >
                {by === undefined ? (
                  title
                ) : (
                  <SortButton
                    order={getColumnOrder(ordering, by)}
                    onSort={() => change({ ordering: nextOrder(by, ordering) })}
                  >
                    {title}
                  </SortButton>
                )}
              </th>
            ))}
          </tr>
        </thead>
        {groups ? (
          groups.map((group) => (
            <tbody key={group.name}>
              <tr className="border-b border-line bg-surface-muted">
                <th scope="rowgroup" colSpan={COLUMNS.length} className="px-3 py-1.5 text-left font-normal">
                  <span className="flex flex-wrap items-baseline gap-x-3">
                    <span className="font-semibold">{group.title}</span>
                    <span className="text-xs text-ink-muted tabular-nums">{group.note}</span>
                  </span>
                </th>
              </tr>
              {group.items.map(row)}
            </tbody>
          ))
        ) : (
          <tbody>{items.map(row)}</tbody>
        )}
      </table>
    </section>
  )
}

const nextOrder = (by: SortField, ordering: Ordering) =>
  by === 'amount' && getColumnOrder(ordering, by) !== 'descending' ? '-amount' : by

function ItemRow({ item, onOpen, isCurrent }: { item: BudgetItem; onOpen: (id: number) => void; isCurrent: boolean }) {
  return (
    <tr
      className={classNames(
        'border-b border-line align-top last:border-0',
        isCurrent ? 'bg-accent-soft' : 'hover:bg-surface-muted',
      )}
    >
      <th scope="row" className="min-w-64 px-3 py-2 text-left font-normal">
        <BudgetItemButton item={item} onOpen={onOpen} />
        <BudgetItemBadges item={item} />
      </th>
      <td className="min-w-44 px-3 py-2">
        {item.unit}
        <span className="block text-xs text-ink-muted">{item.ministry}</span>
      </td>
      <td className="min-w-36 px-3 py-2 max-lg:hidden">{item.categories[0] ?? <UnknownValue />}</td>
      <td className="px-3 py-2 text-right whitespace-nowrap tabular-nums">
        {formatOrUnknown(item.amount, formatBaht)}
      </td>
      <td className="px-3 py-2 whitespace-nowrap">
        <BudgetItemStateSummary item={item} />
      </td>
    </tr>
  )
}
