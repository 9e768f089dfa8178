import { Link } from '@tanstack/react-router'
import type { DataFreshness } from '#contract/catalogue/freshness.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'

/**
 * Formats when the data was last checked, e.g. `ตรวจล่าสุด 23 พ.ย. 2569 08:12 น. · ครบ`. A late check without missing
 * items does not claim completeness.
 */
export function formatLastChecked({ checked_at, missing, is_late }: DataFreshness): string {
  if (checked_at === null) return 'ยังไม่เคยตรวจ'
  const checked = `ตรวจล่าสุด ${formatThaiDateTime(checked_at)}`
  if (missing > 0) return `${checked} · ไม่ครบ ${formatCount(missing)} รายการ`
  return is_late ? checked : `${checked} · ครบ`
}

export function DataFreshnessLine({ freshness }: { freshness: DataFreshness }) {
  return (
    <p className="text-xs text-ink-muted">
      {formatLastChecked(freshness)} ·{' '}
      <Link to="/coverage" className="rounded-control text-accent-ink underline-offset-4 hover:underline">
        ตรวจว่าครบไหม
      </Link>
    </p>
  )
}
