import { countText, percentText } from '#src/lib/money-text.ts'

const points = new Intl.NumberFormat('th-TH', { maximumFractionDigits: 1 })

type Pair = { readonly now: number | null; readonly before: number | null }

const said = (difference: number, size: string) => (difference > 0 ? `เพิ่ม ${size}` : `ลด ${size}`)

/** How a count has changed: `เพิ่ม 3`. Null where one of the two is not known. */
export function countChange({ now, before }: Pair): string | null {
  if (now === null || before === null) return null
  return now === before ? 'เท่าเดิม' : said(now - before, countText(Math.abs(now - before)))
}

/** How an amount has changed, as a part of what it was; of nothing there is no part. */
export function moneyChange({ now, before }: Pair): string | null {
  if (now === null || before === null || before <= 0) return null
  return now === before ? 'เท่าเดิม' : said(now - before, percentText(Math.abs(now - before) / before))
}

/** How a rate has changed, in percentage points. */
export function rateChange({ now, before }: Pair): string | null {
  if (now === null || before === null) return null
  const difference = Math.round((now - before) * 1000) / 10
  return difference === 0 ? 'เท่าเดิม' : said(difference, `${points.format(Math.abs(difference))} จุด`)
}
