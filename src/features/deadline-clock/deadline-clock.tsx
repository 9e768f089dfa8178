import { useEffect, useState } from 'react'
import { holidayCertainty } from '#contract/thai/public-holiday.ts'
import { bangkokToday, daysBetween, thaiDay } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { serverNow } from '#src/lib/session-store.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import {
  CLOCK_TEXTS,
  type ClockTone,
  COUNTING_TITLES,
  DEADLINE_KIND_TEXTS,
  timeLeft,
  workingDaysLeft,
} from './clock-text.ts'
import type { DatedDeadline } from './deadline-event.ts'
import { clockState, type Deadline, type DeadlineFacts, type DeadlineKind, deadlinesOf, endOf } from './deadlines.ts'

/** `09:00–12:00`, or one time alone. */
function timeText({ from, to }: { readonly from: string; readonly to: string }): string {
  return from === to ? to : `${from}–${to}`
}

type DateListProps = {
  deadlines: readonly Deadline[]
  now: Date
  /** What is left is said; not for a project that nobody waits for any more. */
  counts: boolean
  current: DeadlineKind | undefined
}

/** Every date of the tender: published or estimated, what it rests on, and the working days that are left. */
function DateList({ deadlines, now, counts, current }: DateListProps) {
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
  const words = DEADLINE_KIND_TEXTS[kind]
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

const MINUTE_MS = 60_000

/** The present moment by the server's clock, anew at every full minute and when the tab is looked at again. */
function useServerMinute(): Date {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      clearTimeout(timer)
      const next = serverNow()
      setNow(next)
      timer = setTimeout(tick, MINUTE_MS - (next.getTime() % MINUTE_MS))
    }
    // A hidden tab's timers are held back; a device that slept has none.
    const onVisible = () => {
      if (document.visibilityState === 'visible') tick()
    }
    tick()
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [])
  return now
}

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
 * What is left until the next date that counts, and every date of the tender with what it rests on (N4). Follows the server's clock by the
 * minute; days are Bangkok's, whatever the device says.
 */
export function DeadlineClock({ row, className }: DeadlineClockProps) {
  const now = useServerMinute()
  const state = clockState(row, now)
  const deadlines = deadlinesOf(row)
  const title = state.kind === 'counting' ? COUNTING_TITLES[state.deadline.kind] : CLOCK_TEXTS[state.kind].title
  return (
    <Card as="section" aria-label="กำหนดเวลา" className={classNames('p-5', className)}>
      <h2 className="text-md font-semibold">{title}</h2>
      {state.kind === 'counting' ? (
        <Countdown deadline={state.deadline} now={now} />
      ) : (
        <p className="mt-1 text-ink-muted">{CLOCK_TEXTS[state.kind].text}</p>
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
