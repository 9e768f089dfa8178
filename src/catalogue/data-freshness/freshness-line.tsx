import type { Freshness } from '#contract/catalogue/freshness.ts'
import { countText } from '#src/lib/money-text.ts'
import { thaiInstant } from '#src/lib/thai-day.ts'

/**
 * Example: `ตรวจล่าสุด 23 พ.ย. 2569 08:12 น. · ครบ`. A late check without missing items does not claim completeness.
 */
export function checkedText({ checked_at, missing, is_late }: Freshness): string {
  if (checked_at === null) return 'ยังไม่เคยตรวจ'
  const checked = `ตรวจล่าสุด ${thaiInstant(checked_at)}`
  if (missing > 0) return `${checked} · ไม่ครบ ${countText(missing)} รายการ`
  return is_late ? checked : `${checked} · ครบ`
}

export function FreshnessLine({ freshness }: { freshness: Freshness }) {
  return <p className="text-xs text-ink-muted">{checkedText(freshness)}</p>
}
