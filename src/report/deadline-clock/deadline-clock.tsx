import { useEffect, useState } from 'react'
import {
  CLOSED_TEXT,
  countWorkingDaysLeft,
  type DeadlineUrgency,
  getDeadlineTimeLeft,
} from '#contract/catalogue/time-left.ts'
import type { DatedDeadline } from '#contract/report/deadline-event.ts'
import type { DeadlineKind } from '#contract/report/deadline-kind.ts'
import {
  type Deadline,
  type DeadlineCountdownState,
  type DeadlineFacts,
  formatDeadlineLegalBasis,
  getDeadlineCountdownState,
  getDeadlineEndMs,
} from '#contract/report/deadlines.ts'
import { getHolidayCertainty } from '#contract/thai/public-holiday.ts'
import { formatThaiDateShortOrOriginal, getBangkokToday } from '#contract/thai/thai-date.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { Card } from '#src/ui/card.tsx'

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

/** Updates every minute by the server's clock; days are in Bangkok time. */
export function ProjectDeadlineCountdown({ row }: { row: DeadlineFacts }) {
  const now = useServerMinute()
  const state = getDeadlineCountdownState(row, now)
  const title =
    state.kind === 'counting'
      ? DEADLINE_COUNTDOWN_TITLES[state.deadline.kind]
      : DEADLINE_COUNTDOWN_TEXTS[state.kind].title
  return (
    <Card
      as="section"
      aria-label="กำหนดเวลา"
      className="p-5 print:flex print:flex-wrap print:items-baseline print:gap-x-3 print:py-3"
    >
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

type DeadlineCountdown = { readonly main: string; readonly detail: string; readonly urgency: DeadlineUrgency }

/** On the day itself returns hours and minutes, after it undefined. */
export function computeDeadlineCountdown(
  deadline: Deadline & { readonly day: string },
  now: Date,
): DeadlineCountdown | undefined {
  const leftMs = getDeadlineEndMs(deadline)! - now.getTime()
  if (leftMs <= 0) return undefined
  const { daysLeft, urgency } = getDeadlineTimeLeft(deadline.day, deadline.time?.to, now)
  if (daysLeft > 0) return { main: `${daysLeft} วัน`, detail: '', urgency }
  if (!deadline.time) return { main: 'วันนี้', detail: 'วันสุดท้าย', urgency }
  // Round up, so that at 11:59:30 a noon deadline has one minute left, not zero.
  const minutes = Math.ceil(leftMs / MINUTE_MS)
  const hours = Math.floor(minutes / 60)
  return hours > 0
    ? { main: `${hours} ชม.`, detail: `${minutes % 60} นาที`, urgency }
    : { main: `${minutes} นาที`, detail: '', urgency }
}

function formatDeadlineDate({ day, time }: Deadline & { readonly day: string }): string {
  if (!time) return formatThaiDateShortOrOriginal(day)
  return `${formatThaiDateShortOrOriginal(day)} เวลา ${time.from === time.to ? time.to : `${time.from}–${time.to}`} น.`
}

const DEADLINE_COUNTDOWN_TITLES: Readonly<Partial<Record<DeadlineKind, string>>> = {
  comment: 'เหลือเวลาวิจารณ์ร่าง',
  submission: 'เหลือเวลายื่นข้อเสนอ',
}

type ClockText = { readonly title: string; readonly text: string }

const DEADLINE_COUNTDOWN_TEXTS: Readonly<Record<Exclude<DeadlineCountdownState['kind'], 'counting'>, ClockText>> = {
  cancelled: { title: 'ยกเลิกแล้ว', text: 'หน่วยงานยกเลิกประกาศหรือโครงการนี้ วันที่ของโครงการเป็นข้อมูลก่อนยกเลิก' },
  contracted: { title: 'ทำสัญญาแล้ว', text: 'จัดซื้อจัดจ้างเสร็จสิ้น ไม่มีวันที่ต้องติดตามต่อ' },
  decided: { title: 'ประกาศผลแล้ว', text: 'ปิดรับข้อเสนอและประกาศผู้ชนะแล้ว' },
  closed: { title: CLOSED_TEXT, text: 'พ้นกำหนดยื่นข้อเสนอ รอหน่วยงานประกาศผล' },
  drafted: { title: 'ปิดรับคำวิจารณ์ร่างแล้ว', text: 'e-GP ยังไม่เผยแพร่วันยื่นข้อเสนอ' },
  delivered: { title: 'ส่งมอบแล้ว', text: 'โครงการนี้ปิดไปแล้ว ไม่มีวันที่ต้องติดตามต่อ' },
  undated: { title: 'ยังไม่มีกำหนดยื่น', text: 'e-GP ยังไม่เผยแพร่วันที่ของโครงการนี้' },
}
