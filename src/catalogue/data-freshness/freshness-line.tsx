import type { DataFreshness } from '#contract/catalogue/freshness.ts'
import { countText } from '#src/lib/figure-text.ts'
import { thaiDateTimeText } from '#src/lib/thai-day.ts'

/**
 * Formats when the data was last checked, e.g. `ตรวจล่าสุด 23 พ.ย. 2569 08:12 น. · ครบ`. A late check without missing
 * items does not claim completeness.
 */
export function lastCheckedText({ checked_at, missing, is_late }: DataFreshness): string {
  if (checked_at === null) return 'ยังไม่เคยตรวจ'
  const checked = `ตรวจล่าสุด ${thaiDateTimeText(checked_at)}`
  if (missing > 0) return `${checked} · ไม่ครบ ${countText(missing)} รายการ`
  return is_late ? checked : `${checked} · ครบ`
}

export function FreshnessLine({ freshness }: { freshness: DataFreshness }) {
  return <p className="text-xs text-ink-muted">{lastCheckedText(freshness)}</p>
}
