import { Link } from '@tanstack/react-router'
import { countActiveKeywords } from '#contract/matching/active-keyword.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'

const LINK =
  'rounded-control font-medium text-accent-ink hover:underline touch:inline-flex touch:min-h-11 touch:items-center'

/** `excludedCount`: projects that exclusion words removed in the latest load; undefined while the report is loading. */
export function ReportSources({ excludedCount = 0 }: { excludedCount: number | undefined }) {
  const { words, departments } = countActiveKeywords(useOrganisation())
  return (
    <div className="border-t border-line px-4 py-2 text-sm text-ink-muted">
      <p>
        รายการนี้มาจาก <b className="font-semibold text-ink tabular-nums">{formatCount(words)} คำ</b>
        {departments > 0 && <b className="font-semibold text-ink tabular-nums"> {formatCount(departments)} หน่วยงาน</b>}{' '}
        ·{' '}
        <Link to="/watch" aria-label="แก้คำติดตาม" className={`${LINK} touch:min-w-11`}>
          แก้
        </Link>
      </p>
      <p>
        {excludedCount > 0 && (
          <>
            <span title="โครงการที่คำไม่รวมกันไว้ในการโหลดล่าสุด">
              คำไม่รวมซ่อนไว้ <span className="tabular-nums">{formatCount(excludedCount)}</span>
            </span>{' '}
            ·{' '}
          </>
        )}
        <Link to="/watch" search={{ tab: 'why' }} className={LINK}>
          ทำไมไม่เห็นงาน?
        </Link>
      </p>
    </div>
  )
}
