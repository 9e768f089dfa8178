import { bangkokToday, daysBetween, thaiDay } from '#contract/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Badge } from '#src/ui/badge.tsx'
import { KIND_WORDS, workingDaysLeft } from './clock-words.ts'
import { type Deadline, type DeadlineKind, endOf } from './deadlines.ts'
import { timeText } from './time-text.ts'

type DateListProps = {
  deadlines: readonly Deadline[]
  now: Date
  /** What is left is said; not for a project that nobody waits for any more. */
  counts: boolean
  current: DeadlineKind | undefined
}

/** Every date of the tender: published or estimated, what it rests on, and the working days that are left. */
export function DateList({ deadlines, now, counts, current }: DateListProps) {
  const lastKnown = deadlines.findLastIndex(({ day }) => day !== null)
  return (
    <div className="mt-4 border-t border-line pt-3">
      <ul className="space-y-2.5">
        {deadlines.map((deadline, index) => (
          <DateRow
            key={deadline.kind}
            deadline={deadline}
            now={now}
            counts={counts}
            isCurrent={deadline.kind === current}
            isExpected={counts && index > lastKnown}
          />
        ))}
      </ul>
      <p className="mt-3 text-xs text-ink-faint">
        วันที่ประมาณการใช้วางแผนเท่านั้น ไม่ใช่คำแนะนำทางกฎหมาย ตรวจกับประกาศของหน่วยงานก่อนเสมอ
        {deadlines.some(({ clause }) => clause !== undefined) &&
          ' · ระเบียบฯ = ระเบียบกระทรวงการคลังว่าด้วยการจัดซื้อจัดจ้างฯ พ.ศ. 2560'}
      </p>
    </div>
  )
}

type DateRowProps = {
  deadline: Deadline
  now: Date
  counts: boolean
  isCurrent: boolean
  /** May still be published: nothing that comes after it has a date yet. */
  isExpected: boolean
}

function DateRow({ deadline, now, counts, isCurrent, isExpected }: DateRowProps) {
  const { kind, day, time, isEstimate, clause } = deadline
  const words = KIND_WORDS[kind]
  const basis = clause === undefined ? words.basis : `ระเบียบฯ ข้อ ${clause}`
  const end = endOf(deadline)
  const isPast = end !== undefined && end <= now.getTime()
  return (
    <li className="flex items-start gap-3 text-sm" aria-current={isCurrent || undefined}>
      <span
        aria-hidden
        className={classNames(
          'mt-1.5 size-2 shrink-0 rounded-full border',
          isCurrent
            ? 'border-accent-ink bg-accent-ink'
            : isPast
              ? 'border-line-strong bg-line-strong'
              : 'border-control',
        )}
      />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className={classNames(isCurrent && 'font-semibold')}>{words.name}</span>
          {isEstimate && day !== null && <Badge>ประมาณการ</Badge>}
        </p>
        <p className="text-xs text-ink-faint">{isEstimate && day !== null ? `${basis} · ${words.estimate}` : basis}</p>
      </div>
      <div className="shrink-0 text-right">
        <p
          className={classNames(
            'whitespace-nowrap tabular-nums',
            isPast || day === null ? 'text-ink-faint' : 'text-ink',
          )}
        >
          {day === null ? (isExpected ? 'ยังไม่มีวันที่' : 'ไม่มีข้อมูล') : thaiDay(day)}
        </p>
        {time && <p className="text-xs whitespace-nowrap text-ink-faint tabular-nums">{timeText(time)} น.</p>}
        {counts && day !== null && (
          <p className="text-xs whitespace-nowrap text-ink-faint">{leftText(day, isPast, now)}</p>
        )}
      </div>
    </li>
  )
}

function leftText(day: string, isPast: boolean, now: Date): string {
  if (isPast) return 'ผ่านไปแล้ว'
  if (daysBetween(bangkokToday(now), day) === 0) return 'วันนี้'
  const left = workingDaysLeft(day, now)
  return left === 0 ? 'ไม่มีวันทำการเหลือ' : `อีก ${left} วันทำการ`
}
