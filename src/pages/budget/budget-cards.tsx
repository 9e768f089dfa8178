import type { BudgetItem, BudgetLevel } from '#contract/budget.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { bahtText, LEVEL_NAMES } from './budget-words.ts'
import { ItemButton, ItemMarks, LinkCounts, WHOLE_CARD } from './item-facts.tsx'
import type { ItemGroup } from './item-groups.ts'
import { StateChip } from './state-chip.tsx'

type BudgetCardsProps = {
  items: readonly BudgetItem[]
  groups: readonly ItemGroup[] | undefined
  level: BudgetLevel
  onOpen: (id: number) => void
  busy: boolean
}

/** Items on a phone, one card each. */
export function BudgetCards({ items, groups, level, onOpen, busy }: BudgetCardsProps) {
  const look = classNames('flex flex-col gap-3', busy && 'opacity-50')
  if (!groups)
    return (
      <ul aria-label="รายการงบประมาณ" aria-busy={busy} className={look}>
        {items.map((item) => (
          <ItemCard key={item.id} item={item} onOpen={onOpen} />
        ))}
      </ul>
    )
  return groups.map(({ name, items: own, total }) => (
    <section key={name} aria-label={name} className="mb-4">
      <h3 className="mb-2 font-semibold">
        {name || `ไม่ระบุ${LEVEL_NAMES[level]}`}
        <span className="block text-xs font-normal text-ink-muted tabular-nums">
          {total
            ? `รวม ${countText(total.n)} รายการ · ${bahtText(total.amount)} · ในหน้านี้ ${countText(own.length)}`
            : `ในหน้านี้ ${countText(own.length)} รายการ`}
        </span>
      </h3>
      <ul aria-label={`รายการของ${name}`} aria-busy={busy} className={look}>
        {own.map((item) => (
          <ItemCard key={item.id} item={item} onOpen={onOpen} />
        ))}
      </ul>
    </section>
  ))
}

function ItemCard({ item, onOpen }: { item: BudgetItem; onOpen: (id: number) => void }) {
  return (
    <li className="relative rounded-card border border-line bg-surface p-3.5">
      <ItemButton item={item} onOpen={onOpen} className={WHOLE_CARD} />
      <p className="text-ink-muted">{item.unit}</p>
      <ItemMarks item={item} />
      <div className="mt-2 flex flex-wrap items-start justify-between gap-x-4 gap-y-1 border-t border-line pt-2">
        <span className="text-md font-semibold tabular-nums">
          {item.amount === null ? 'ไม่ทราบวงเงิน' : bahtText(item.amount)}
        </span>
        <span className="text-right">
          <StateChip state={item.state} />
          <LinkCounts item={item} />
        </span>
      </div>
    </li>
  )
}
