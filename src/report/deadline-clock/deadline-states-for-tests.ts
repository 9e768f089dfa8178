import { countWorkingDaysLeft, getDeadlineTimeLeft } from '#contract/catalogue/time-left.ts'
import { buildCalendarFile } from '#contract/report/calendar-file.ts'
import { getDeadlineCountdownState } from '#contract/report/deadlines.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { reportRow } from '../../../test/report-row.ts'

// Prints the clock and the calendar file of a project at instants around the end of its days.

const row = reportRow({
  status: 'in_progress',
  movement: 'invited',
  submission_end_date: '2026-11-28',
  submission_time: '09:00-12:00',
  draft_discussion_end_date: '2026-11-22',
  winner_announce_date: null,
  is_archived: false,
})
const INSTANTS = [
  '2026-11-21T16:59:59Z',
  '2026-11-21T17:00:00Z',
  '2026-11-22T16:59:59Z',
  '2026-11-22T17:00:00Z',
  '2026-11-28T04:59:00Z',
]
const answers = INSTANTS.map((text) => {
  const now = new Date(text)
  const state = getDeadlineCountdownState(row, now)
  if (state.kind !== 'counting') return [state.kind]
  const { kind, day, time } = state.deadline
  return [
    state.kind,
    kind,
    getDeadlineTimeLeft(day, time?.to, now),
    countWorkingDaysLeft(day, getBangkokToday(now)),
    buildCalendarFile({ uid: 'a', summary: 'b', description: '', url: '', day, time, now }),
  ]
})
console.log(JSON.stringify(answers))
