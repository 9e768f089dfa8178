import type { TeamFeedbackWeek } from '#contract/team/team-results.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { formatCountWithSeparators } from '#src/lib/figure-text.ts'
import { Card } from '#src/ui/card.tsx'

const TITLE = 'งานที่ไม่เคยเห็นและคุณลงมือ'

/** Shows per week how many projects the team discovered here and acted on. */
export function FeedbackWeeksCard({ weeks }: { weeks: readonly TeamFeedbackWeek[] }) {
  const hasAnswers = weeks.some(({ relevant, irrelevant, seen }) => relevant + irrelevant + seen > 0)
  return (
    <Card as="section" aria-label={TITLE} className="px-4 py-3">
      <h2 className="font-semibold">{TITLE}</h2>
      <p className="text-sm text-ink-muted">
        {hasAnswers
          ? 'ตอบว่าเกี่ยว ไม่มีใครในทีมตอบว่าเคยเห็นแล้ว และอยู่ในงานของเราโดยไม่ได้ตัดสินใจไม่ยื่น แปดสัปดาห์ล่าสุด'
          : 'ยังไม่มีคำตอบในแปดสัปดาห์นี้ กด เกี่ยว ไม่เกี่ยว หรือ เคยเห็นแล้ว ในอีเมล LINE หรือการแจ้งเตือน'}
      </p>
      {hasAnswers && (
        <ol className="mt-2 divide-y divide-line text-sm">
          {weeks.map(({ from, acted, relevant, irrelevant, seen }) => (
            <li key={from} className="flex flex-wrap items-baseline gap-x-2 py-1.5 tabular-nums">
              <span className="text-ink-muted">สัปดาห์ {formatThaiDateShort(from)}</span>
              <span className="ml-auto font-semibold">{formatCountWithSeparators(acted)} งาน</span>
              <span className="basis-full text-xs text-ink-muted">
                เกี่ยว {formatCountWithSeparators(relevant)} · ไม่เกี่ยว {formatCountWithSeparators(irrelevant)} · เคยเห็นแล้ว{' '}
                {formatCountWithSeparators(seen)}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
