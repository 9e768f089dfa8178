import { describe, expect, test } from 'vitest'
import { buildDeadlineEvent, getUpcomingDeadlines } from '#contract/report/deadline-event.ts'
import { getDeadlineCountdownState, getProjectDeadlines } from '#contract/report/deadlines.ts'
import { reportRow } from '../../../test/report-row.ts'
import { computeDeadlineCountdown } from './deadline-clock.tsx'

const NOW = new Date('2026-11-21T03:00:00Z')
const at = (bangkok: string) => new Date(`${bangkok}+07:00`)

describe('the dates of a tender', () => {
  test('cite clauses for e-bidding only', () => {
    const clauses = (method: string) =>
      getProjectDeadlines(reportRow({ method })).map(({ kind, law }) => [kind, law?.clause])
    expect(clauses('e_bidding')).toContainEqual(['submission', '54'])
    expect(clauses('selective')).toEqual([
      ['bank_letter', '12.3–12.4'],
      ['comment', undefined],
      ['submission', undefined],
      ['result', undefined],
    ])
  })

  test('include no appeal day after a cancelled result', () => {
    const row = reportRow({ movement: 'winner_cancelled', winner_announce_date: '2026-11-18' })
    expect(getProjectDeadlines({ ...row, decision: 'bid' }).at(-1)).toMatchObject({ kind: 'result', day: null })
  })

  test('are null when unpublished', () => {
    const row = reportRow({ submission_end_date: null, submission_time: null })
    expect(getProjectDeadlines(row).map(({ kind, day }) => [kind, day])).toEqual([
      ['comment', null],
      ['submission', null],
      ['result', null],
    ])
  })

  test.each([
    ['09:00-12:00', { from: '09:00', to: '12:00' }],
    ['16:30', { from: '16:30', to: '16:30' }],
    ['12:00-09:00', { from: '09:00', to: '12:00' }],
    ['เวลาราชการ', undefined],
    ['24:00', undefined],
    [null, undefined],
  ])('parse the time %s as %o', (submission_time, time) => {
    const submission = getProjectDeadlines(reportRow({ submission_time })).find(({ kind }) => kind === 'submission')
    expect(submission?.time).toEqual(time)
  })
})

describe('the clock', () => {
  test.each([
    ['counts to the end of comments first', { draft_discussion_end_date: '2026-11-25' }, 'comment'],
    ['counts to the submission once comments have ended', { draft_discussion_end_date: '2026-11-20' }, 'submission'],
    ['counts on the last day of comments', { draft_discussion_end_date: '2026-11-21' }, 'comment'],
  ])('%s', (_title, change, kind) => {
    const state = getDeadlineCountdownState(reportRow(change), NOW)
    expect(state).toMatchObject({ kind: 'counting', deadline: { kind } })
  })

  test.each([
    ['a cancelled project', { status: 'project_cancelled' }, 'cancelled'],
    ['a cancelled invitation', { status: 'invitation_cancelled' }, 'cancelled'],
    ['a contract', { status: 'contract_created' }, 'contracted'],
    ['an announced winner, though the day of submission is to come', { movement: 'winner_announced' }, 'decided'],
    ['a submission that has ended', { submission_end_date: '2026-11-20' }, 'closed'],
    [
      'a result known by its date alone',
      { submission_end_date: '2026-11-10', winner_announce_date: '2026-11-19' },
      'decided',
    ],
    [
      'a draft whose comments have ended',
      { submission_end_date: null, draft_discussion_end_date: '2026-11-20' },
      'drafted',
    ],
    ['no date at all', { submission_end_date: null }, 'undated'],
    ['a delivered project without dates', { submission_end_date: null, is_archived: true }, 'delivered'],
    [
      'a cancelled result, past the submission',
      { movement: 'winner_cancelled', submission_end_date: '2026-11-10', winner_announce_date: '2026-11-18' },
      'closed',
    ],
  ])('does not count for %s', (_title, change, kind) => {
    expect(getDeadlineCountdownState(reportRow(change), NOW).kind).toBe(kind)
  })

  test('stops at the minute of the deadline, not at the end of its day', () => {
    const row = reportRow({ submission_end_date: '2026-11-28', submission_time: '09:00-12:00' })
    expect(getDeadlineCountdownState(row, at('2026-11-28T11:59:59')).kind).toBe('counting')
    expect(getDeadlineCountdownState(row, at('2026-11-28T12:00:00')).kind).toBe('closed')
  })
})

describe('the countdown', () => {
  const timed = {
    kind: 'submission',
    day: '2026-11-28',
    time: { from: '09:00', to: '12:00' },
    isEstimate: false,
  } as const
  const untimed = { kind: 'submission', day: '2026-11-28', isEstimate: false } as const

  test.each([
    ['2026-11-21T10:00', '7 วัน', '', 'soon'],
    ['2026-11-20T10:00', '8 วัน', '', 'plain'],
    ['2026-11-26T13:00', '2 วัน', '', 'urgent'],
    ['2026-11-25T13:00', '3 วัน', '', 'soon'],
    ['2026-11-27T23:59', '1 วัน', '', 'urgent'],
    ['2026-11-28T09:30', '2 ชม.', '30 นาที', 'urgent'],
    ['2026-11-28T11:59:30', '1 นาที', '', 'urgent'],
  ])('at %s of a deadline at noon on the 28th is %s %s, %s', (now, main, detail, urgency) => {
    expect(computeDeadlineCountdown(timed, at(now))).toEqual({ main, detail, urgency })
  })

  test.each([
    ['2026-11-21T00:00', '7 วัน', ''],
    ['2026-11-27T23:59', '1 วัน', ''],
    ['2026-11-28T23:59', 'วันนี้', 'วันสุดท้าย'],
  ])('at %s of a deadline without a time is %s %s', (now, main, detail) => {
    expect(computeDeadlineCountdown(untimed, at(now))).toMatchObject({ main, detail })
  })

  test('is undefined once the deadline has passed', () => {
    expect(computeDeadlineCountdown(timed, at('2026-11-28T12:00'))).toBeUndefined()
    expect(computeDeadlineCountdown(untimed, at('2026-11-29T00:00'))).toBeUndefined()
  })
})

describe('calendar events', () => {
  test('offer upcoming dates, the nearest first', () => {
    const row = reportRow({ draft_discussion_end_date: '2026-11-24', submission_end_date: '2026-12-09' })
    expect(getUpcomingDeadlines(row, NOW).map(({ kind }) => kind)).toEqual([
      'comment',
      'question',
      'papers',
      'submission',
      'sample',
    ])
    expect(getUpcomingDeadlines({ ...row, status: 'project_cancelled' }, NOW)).toEqual([])
  })

  test('contain name, unit, price, id and a link back', () => {
    const row = reportRow()
    const [deadline] = getUpcomingDeadlines(row, NOW).filter(({ kind }) => kind === 'submission')
    const event = buildDeadlineEvent(row, deadline!, 'https://tamngan.example/report/69119000001', NOW)
    expect(event).toMatchObject({
      uid: '69119000001-submission@tamngan',
      summary: 'สิ้นสุดยื่นข้อเสนอ: ซื้อกล้องวงจรปิด',
      url: 'https://tamngan.example/report/69119000001',
      day: '2026-11-28',
      time: { from: '09:00', to: '12:00' },
    })
    expect(event.description.split('\n')).toEqual([
      'กองช่าง · เทศบาลนครตัวอย่าง',
      'ราคากลาง 9,500,000.00 บาท',
      'เลขที่โครงการ 69119000001',
      'แน่นอน ระเบียบกระทรวงการคลังฯ พ.ศ. 2560 ข้อ 54',
      'https://tamngan.example/report/69119000001',
    ])
  })

  test('mark a date that is an estimate', () => {
    const row = reportRow({ estimate_budget: null })
    const [deadline] = getUpcomingDeadlines(row, NOW).filter(({ kind }) => kind === 'question')
    const event = buildDeadlineEvent(row, deadline!, '', NOW)
    expect(event.summary).toContain('(คำนวณ)')
    expect(event.description).toContain('คำนวณ ระเบียบกระทรวงการคลังฯ พ.ศ. 2560 ข้อ 52\n3 วันทำการก่อนวันยื่น')
    expect(event.description).toContain('งบประมาณ 10,000,000.00 บาท')
    expect(event.time).toBeUndefined()
  })

  test('show a single time as the half hour before it', () => {
    const row = reportRow({ submission_time: '16:30' })
    const [deadline] = getUpcomingDeadlines(row, NOW).filter(({ kind }) => kind === 'submission')
    expect(buildDeadlineEvent(row, deadline!, '', NOW).time).toEqual({ from: '16:00', to: '16:30' })
  })
})
