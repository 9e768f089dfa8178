import type { BudgetScope } from '#contract/budget.ts'
import { countText } from '#src/lib/money-text.ts'
import { thaiInstant } from '#src/lib/thai-day.ts'

/** Documents named before the rest is folded. */
const SHOWN = 2

/** What the figures are made of: which items, of which year, how many, as of when, and from which documents. */
export function ScopeLine({ scope }: { scope: BudgetScope }) {
  const { universe, fiscal_year: year, n, n_year: all, computed_at: computed, sources } = scope
  const folded = sources.slice(SHOWN)
  return (
    <div className="text-xs text-ink-muted">
      <p>
        {universe === 'matched' ? 'เฉพาะรายการที่ตรงคำติดตาม' : 'ทุกรายการ'} · ปีงบประมาณ {year} ·{' '}
        <span className="tabular-nums">
          {countText(n)} จาก {countText(all)} รายการของปี
        </span>{' '}
        · {computed === null ? 'ยังไม่มีข้อมูลรอบล่าสุด' : `คำนวณ ณ ${thaiInstant(computed)}`}
      </p>
      {sources.length > 0 && (
        <p>
          ที่มา {sources.slice(0, SHOWN).join(' · ')}
          {folded.length > 0 && (
            <details className="inline">
              <summary className="inline rounded-control text-accent-ink hover:underline">
                {' '}
                และอีก {countText(folded.length)} ฉบับ
              </summary>
              <span> {folded.join(' · ')}</span>
            </details>
          )}
        </p>
      )}
    </div>
  )
}
