import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Tests R58 in one process per time zone, because a running process cannot change its zone. */
test('gives the same clock and calendar file in every device time zone', () => {
  const script = `
    import { getDeadlineCountdownState } from '#contract/report/deadlines.ts'
    import { getDeadlineTimeLeft, countWorkingDaysLeft } from '#contract/catalogue/time-left.ts'
    import { getBangkokToday } from '#contract/thai/thai-date.ts'
    import { buildCalendarFile } from '#contract/report/calendar-file.ts'
    const row = { status: 'in_progress', movement: 'invited', submission_end_date: '2026-11-28', submission_time: '09:00-12:00',
      draft_discussion_end_date: '2026-11-22', winner_announce_date: null, is_archived: false }
    const instants = ['2026-11-21T16:59:59Z', '2026-11-21T17:00:00Z', '2026-11-22T16:59:59Z', '2026-11-22T17:00:00Z', '2026-11-28T04:59:00Z']
    console.log(JSON.stringify(instants.map((text) => {
      const now = new Date(text)
      const { kind, deadline } = getDeadlineCountdownState(row, now)
      return [kind, deadline.kind, getDeadlineTimeLeft(deadline.day, deadline.time?.to, now), countWorkingDaysLeft(deadline.day, getBangkokToday(now)),
        buildCalendarFile({ uid: 'a', summary: 'b', description: '', url: '', day: deadline.day, time: deadline.time, now })]
    })))`
  const outputs = ['UTC', 'Asia/Bangkok', 'America/Los_Angeles', 'Pacific/Kiritimati'].map((zone) =>
    execFileSync(process.execPath, ['--input-type=module-typescript', '--no-warnings', '--eval', script], {
      env: { ...process.env, TZ: zone, NODE_OPTIONS: '' },
      encoding: 'utf8',
    }),
  )
  expect(JSON.parse(outputs[0]!).map((answer: unknown[]) => answer.slice(0, 4))).toEqual([
    ['counting', 'comment', { text: 'เหลือ 1 วัน', urgency: 'urgent', daysLeft: 1 }, 0],
    ['counting', 'comment', { text: 'วันนี้วันสุดท้าย', urgency: 'urgent', daysLeft: 0 }, 0],
    ['counting', 'comment', { text: 'วันนี้วันสุดท้าย', urgency: 'urgent', daysLeft: 0 }, 0],
    ['counting', 'submission', { text: 'เหลือ 5 วัน', urgency: 'soon', daysLeft: 5 }, 4],
    ['counting', 'submission', { text: 'วันนี้ถึง 12:00 น.', urgency: 'urgent', daysLeft: 0 }, 0],
  ])
  expect(new Set(outputs).size).toBe(1)
})
