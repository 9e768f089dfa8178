import { holidayCertainty } from '#contract/public-holiday.ts'
import { bangkokToday, thaiDay } from '#contract/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Card } from '#src/ui/card.tsx'
import { type ClockTone, COUNTING_TITLES, STILL_WORDS, timeLeft, workingDaysLeft } from './clock-words.ts'
import { DateList } from './date-list.tsx'
import type { DatedDeadline } from './deadline-event.ts'
import { clockState, type DeadlineFacts, deadlinesOf } from './deadlines.ts'
import { timeText } from './time-text.ts'
import { useServerMinute } from './use-server-minute.ts'

const TONES: Readonly<Record<ClockTone, string>> = {
  urgent: 'text-urgent',
  soon: 'text-updated',
  plain: 'text-ink',
}

type DeadlineClockProps = {
  /** A row of the report has all that is read. */
  row: DeadlineFacts
  className?: string
}

/**
 * What is left until the next date that counts, and every date of the tender with what it rests on (N-4). Follows the server's clock by the
 * minute; days are Bangkok's, whatever the device says.
 */
export function DeadlineClock({ row, className }: DeadlineClockProps) {
  const now = useServerMinute()
  const state = clockState(row, now)
  const deadlines = deadlinesOf(row)
  const title = state.kind === 'counting' ? COUNTING_TITLES[state.deadline.kind] : STILL_WORDS[state.kind].title
  return (
    <Card as="section" aria-label="กำหนดเวลา" className={classNames('p-5', className)}>
      <h2 className="text-md font-semibold">{title}</h2>
      {state.kind === 'counting' ? (
        <Countdown deadline={state.deadline} now={now} />
      ) : (
        <p className="mt-1 text-ink-muted">{STILL_WORDS[state.kind].text}</p>
      )}
      {deadlines.some(({ day }) => day !== null) && (
        <DateList
          deadlines={deadlines}
          now={now}
          counts={state.kind !== 'cancelled' && state.kind !== 'contracted' && state.kind !== 'delivered'}
          current={state.kind === 'counting' ? state.deadline.kind : undefined}
        />
      )}
    </Card>
  )
}

/** The large figure, the date in full and the working days. */
function Countdown({ deadline, now }: { deadline: DatedDeadline; now: Date }) {
  const left = timeLeft(deadline, now)
  const workingDays = workingDaysLeft(deadline.day, now)
  const certainty = holidayCertainty(bangkokToday(now), deadline.day)
  if (!left) return null
  return (
    <>
      <p className={classNames('mt-1 flex flex-wrap items-baseline gap-x-2 tabular-nums', TONES[left.tone])}>
        <span className="text-[1.875rem] leading-[1.5] font-bold">{left.main}</span>
        {left.rest !== '' && <span className="text-xl font-semibold">{left.rest}</span>}
      </p>
      <p className="text-ink-muted">
        {thaiDay(deadline.day)}
        {deadline.time && ` เวลา ${timeText(deadline.time)} น.`}
      </p>
      <p className="mt-1 text-sm text-ink-muted">
        {workingDays === 0 ? (
          'ไม่มีวันทำการเหลือหลังวันนี้'
        ) : (
          <>
            เหลือ{certainty === 'unknown' && 'ประมาณ'}{' '}
            <span className="font-semibold text-ink tabular-nums">{workingDays}</span> วันทำการ
          </>
        )}
        {certainty === 'computed' && ' · วันหยุดปี 2570 คำนวณไว้ก่อนประกาศจริง'}
        {certainty === 'unknown' && ' · ยังไม่มีประกาศวันหยุดของปีนั้น'}
      </p>
    </>
  )
}
