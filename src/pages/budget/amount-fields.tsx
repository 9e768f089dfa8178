import { formatBaht, parseThaiMoney } from '#contract/thai-number.ts'
import { QuickField, type Understood } from '#src/features/report-filter/quick-field.tsx'
import { countText } from '#src/lib/money-text.ts'

type Range = { readonly min: number | null; readonly max: number | null }
type AmountFieldsProps = { range: Range | undefined; onChange: (range: Range | undefined) => void }

function understand(text: string): Understood<number> {
  const entry = parseThaiMoney(text)
  return entry.ok
    ? { ok: true, value: entry.baht, echo: `${formatBaht(entry.baht)} บาท` }
    : { ok: false, message: entry.message }
}

/** Least and most baht of an item, in quick Thai entry. */
export function AmountFields({ range, onChange }: AmountFieldsProps) {
  const setSide = (side: 'min' | 'max', value: number | null) => {
    const next = { min: range?.min ?? null, max: range?.max ?? null, [side]: value }
    if (next.min === null && next.max === null) return onChange(undefined)
    // A minimum above the maximum means that the two were typed the other way round.
    const isTurned = next.min !== null && next.max !== null && next.min > next.max
    onChange(isTurned ? { min: next.max, max: next.min } : next)
  }
  const field = (side: 'min' | 'max', name: string, placeholder: string) => (
    <QuickField<number>
      label={`วงเงิน${name} (บาท)`}
      placeholder={placeholder}
      shown={range?.[side] == null ? '' : countText(range[side])}
      understand={understand}
      onCommit={(baht) => setSide(side, baht)}
      className="min-w-0 flex-1"
    />
  )
  return (
    <>
      <p className="mb-1 text-ink-muted">บาท เช่น 500,000 หรือ 5 ล้าน</p>
      <div className="flex items-start gap-2">
        {field('min', 'ต่ำสุด', 'ต่ำสุด')}
        {field('max', 'สูงสุด', 'สูงสุด')}
      </div>
    </>
  )
}
