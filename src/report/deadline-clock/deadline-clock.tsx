import { useEffect, useState } from 'react'
import {
  countWorkingDaysLeft,
  type DeadlineUrgency,
  formatDaysAndWorkingDaysLeft,
} from '#contract/catalogue/time-left.ts'
import type { DatedDeadline } from '#contract/report/deadline-event.ts'
import {
  DEADLINE_KIND_TEXTS,
  type Deadline,
  type DeadlineFacts,
  formatDeadlineLegalBasis,
  getDeadlineCountdownState,
  getDeadlineEndMs,
  getProjectDeadlines,
} from '#contract/report/deadlines.ts'
import { getHolidayCertainty } from '#contract/thai/public-holiday.ts'
import { formatThaiDateShortOrOriginal, getBangkokToday } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import {
  computeDeadlineCountdown,
  DEADLINE_COUNTDOWN_TEXTS,
  DEADLINE_COUNTDOWN_TITLES,
  formatDeadlineDate,
} from './deadline-countdown.ts'

type EstimateListProps = {
  estimates: readonly DatedDeadline[]
  now: Date
  isCounting: boolean
}

function EstimateList({ estimates, now, isCounting }: EstimateListProps) {
  return (
    <div className="mt-4 border-t border-line pt-3">
      <ul className="space-y-2.5">
        {estimates.map((deadline) => (
          <EstimateRow key={deadline.kind} deadline={deadline} now={now} isCounting={isCounting} />
        ))}
      </ul>
      <p className="mt-3 text-xs text-ink-faint">
        วันที่ประมาณการใช้วางแผนเท่านั้น ไม่ใช่คำแนะนำทางกฎหมาย ตรวจกับประกาศของหน่วยงานก่อนเสมอ
      </p>
    </div>
  )
}

type EstimateRowProps = { deadline: DatedDeadline; now: Date; isCounting: boolean }

function EstimateRow({ deadline, now, isCounting }: EstimateRowProps) {
  const { kind, day } = deadline
  const { name, estimate } = DEADLINE_KIND_TEXTS[kind]
  const isOver = isPast(deadline, now)
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-3 text-sm">
      <div>
        <p className="flex flex-wrap items-center gap-x-2">
          {name}
          <Badge>ประมาณการ</Badge>
        </p>
        <p className="text-xs text-ink-faint">
          {formatDeadlineLegalBasis(deadline)} · {estimate}
        </p>
      </div>
      {/* Positioned below both columns but read after its label. */}
      {deadline.note && <p className="col-span-2 row-start-2 mt-1 text-xs text-ink-faint">{deadline.note}</p>}
      <div className="text-right">
        <p className={classNames('whitespace-nowrap tabular-nums', isOver ? 'text-ink-faint' : 'text-ink')}>
          {formatThaiDateShortOrOriginal(day)}
        </p>
        {isCounting && (
          <p className="text-xs whitespace-nowrap text-ink-faint">
            {formatDaysAndWorkingDaysLeft(day, getBangkokToday(now))}
          </p>
        )}
      </div>
    </li>
  )
}

const isPast = (deadline: Deadline, now: Date) =>
  (getDeadlineEndMs(deadline) ?? Number.POSITIVE_INFINITY) <= now.getTime()

const MINUTE_MS = 60_000

function useServerMinute(): Date {
  const [now, setNow] = useState(getServerTime)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      clearTimeout(timer)
      const serverTime = getServerTime()
      setNow(serverTime)
      timer = setTimeout(tick, MINUTE_MS - (serverTime.getTime() % MINUTE_MS))
    }
    // Browsers throttle timers of hidden tabs, and a sleeping device runs none, so also update when the page becomes
    // visible.
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

const TONES: Readonly<Record<DeadlineUrgency, string>> = {
  urgent: 'text-urgent',
  soon: 'text-updated',
  plain: 'text-ink',
  past: 'text-ink-faint',
}

type DeadlineClockProps = {
  row: DeadlineFacts
  className?: string
}

/**
 * Shows the time until the next deadline, and the derived deadlines with their basis (N4); other published dates are
 * shown at their stages. Updates every minute by the server's clock; days are in Bangkok time.
 */
export function ProjectDeadlineCountdown({ row, className }: DeadlineClockProps) {
  const now = useServerMinute()
  const state = getDeadlineCountdownState(row, now)
  const estimates = getProjectDeadlines(row).filter(
    (deadline): deadline is DatedDeadline =>
      deadline.isEstimate && deadline.day !== null && !(deadline.kind === 'question' && isPast(deadline, now)),
  )
  const title =
    state.kind === 'counting'
      ? DEADLINE_COUNTDOWN_TITLES[state.deadline.kind]
      : DEADLINE_COUNTDOWN_TEXTS[state.kind].title
  return (
    <Card as="section" aria-label="กำหนดเวลา" className={classNames('p-5', className)}>
      <h2 className="text-md font-semibold">{title}</h2>
      {state.kind === 'counting' ? (
        <Countdown deadline={state.deadline} now={now} />
      ) : (
        <p className="mt-1 text-ink-muted">{DEADLINE_COUNTDOWN_TEXTS[state.kind].text}</p>
      )}
      {estimates.length > 0 && (
        <EstimateList
          estimates={estimates}
          now={now}
          isCounting={state.kind !== 'cancelled' && state.kind !== 'contracted' && state.kind !== 'delivered'}
        />
      )}
    </Card>
  )
}

function Countdown({ deadline, now }: { deadline: DatedDeadline; now: Date }) {
  const remaining = computeDeadlineCountdown(deadline, now)
  const today = getBangkokToday(now)
  const certainty = getHolidayCertainty(today, deadline.day)
  if (!remaining) return null
  return (
    <>
      <p className={classNames('mt-1 flex flex-wrap items-baseline gap-x-2 tabular-nums', TONES[remaining.urgency])}>
        <span className="text-[1.875rem] leading-[1.5] font-bold">{remaining.main}</span>
        {remaining.detail !== '' && <span className="text-xl font-semibold">{remaining.detail}</span>}
      </p>
      {/* On phones it is shown under the project name. */}
      <p className="text-ink-muted max-md:hidden">{formatDeadlineDate(deadline)}</p>
      <p className="mt-1 text-sm text-ink-muted">
        ในนั้นเป็นวันทำการ{certainty === 'unknown' && 'ประมาณ'}{' '}
        <span className="font-semibold text-ink tabular-nums">{countWorkingDaysLeft(deadline.day, today)}</span> วัน
        {certainty === 'computed' && ' · วันหยุดปี 2570 คำนวณไว้ก่อนประกาศจริง'}
        {certainty === 'unknown' && ' · ยังไม่มีประกาศวันหยุดของปีนั้น'}
      </p>
      <p className="text-xs text-ink-faint">{formatDeadlineLegalBasis(deadline)}</p>
      {deadline.note && <p className="mt-2 text-sm text-updated">{deadline.note}</p>}
    </>
  )
}
