import { useEffect, useState } from 'react'
import { countWorkingDaysLeft, type DeadlineUrgency } from '#contract/catalogue/time-left.ts'
import type { DatedDeadline } from '#contract/report/deadline-event.ts'
import { type DeadlineFacts, formatDeadlineLegalBasis, getDeadlineCountdownState } from '#contract/report/deadlines.ts'
import { getHolidayCertainty } from '#contract/thai/public-holiday.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { Card } from '#src/ui/card.tsx'
import {
  computeDeadlineCountdown,
  DEADLINE_COUNTDOWN_TEXTS,
  DEADLINE_COUNTDOWN_TITLES,
  formatDeadlineDate,
} from './deadline-countdown.ts'

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
    // Hidden tabs throttle timers and sleeping devices run none, so also update when becoming visible.
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

/**
 * Shows the time until the next deadline, the only place of the page that counts it. Updates every minute by the
 * server's clock; days are in Bangkok time.
 */
export function ProjectDeadlineCountdown({ row, className }: { row: DeadlineFacts; className?: string }) {
  const now = useServerMinute()
  const state = getDeadlineCountdownState(row, now)
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
      <p className="text-ink-muted">{formatDeadlineDate(deadline)}</p>
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
