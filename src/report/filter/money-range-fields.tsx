import type { MoneyRange } from '#contract/report/report-param-kinds.ts'
import { formatBaht, formatCount, parseThaiMoney } from '#contract/thai/thai-number.ts'
import { ThaiShorthandInputField, type ThaiShorthandParseResult } from './shorthand-input-field.tsx'

/** Smallest plain number that is echoed with separators, because its zeros are hard to count. */
const MIN_ECHOED_PLAIN_BAHT = 1_000_000

type MoneyRangeFieldsProps = {
  name: string
  range: MoneyRange | undefined
  onChange: (range: MoneyRange | undefined) => void
  className?: string
}

/** Two fields for the lowest and the highest amount, which may be entered in either order. */
export function MoneyRangeFields({ name, range, onChange, className = 'min-w-0 flex-1' }: MoneyRangeFieldsProps) {
  const setSide = (side: 'min' | 'max', value: number | null) => {
    const next = { min: range?.min ?? null, max: range?.max ?? null, [side]: value }
    if (next.min === null && next.max === null) return onChange(undefined)
    const isTurned = next.min !== null && next.max !== null && next.min > next.max
    onChange(isTurned ? { min: next.max, max: next.min } : next)
  }
  const field = (side: 'min' | 'max', label: string) => (
    <ThaiShorthandInputField<number>
      label={`${name} ${label} (บาท)`}
      placeholder={label}
      displayValue={range?.[side] == null ? '' : formatCount(range[side])}
      parse={parseAmount}
      onCommit={(baht) => setSide(side, baht)}
      className={className}
    />
  )
  return (
    <>
      {field('min', 'ต่ำสุด')}
      {field('max', 'สูงสุด')}
    </>
  )
}

function parseAmount(text: string): ThaiShorthandParseResult<number> {
  const entry = parseThaiMoney(text)
  if (!entry.ok) return { ok: false, message: entry.message }
  const isPlain = text.replaceAll(',', '').trim() === String(entry.baht)
  return {
    ok: true,
    value: entry.baht,
    echo: isPlain && entry.baht < MIN_ECHOED_PLAIN_BAHT ? undefined : `${formatBaht(entry.baht)} บาท`,
  }
}
