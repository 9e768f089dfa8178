import { expect, test } from 'vitest'
import type { FieldChange } from '#contract/catalogue/field-change.ts'
import {
  buildProjectHistory,
  countProjectChangesSinceVisit,
  getSubmissionDateShiftDays,
  isCriticalDeadlineChange,
} from './project-history.ts'

const change = (field: string, seen_at: string, old: string | null = 'a', now: string | null = 'b'): FieldChange => ({
  field,
  old,
  new: now,
  seen_at,
})
/** 20 and 21 November at 09:00 in Bangkok. */
const YESTERDAY = '2026-11-20T02:00:00.000Z'
const TODAY = '2026-11-21T02:00:00.000Z'
const announced = (movement: string, announced_date: string) => ({ movement, announced_date })
const summariesOf = (entries: ReturnType<typeof buildProjectHistory>) =>
  entries.map(
    (entry) =>
      `${entry.isNew ? '*' : ''}${entry.kind === 'changed' ? entry.changes.map(({ field }) => field).join('+') : entry.movement}`,
  )

test('sorts newest first, with one entry per load above the announcements of that day', () => {
  const entries = buildProjectHistory(
    {
      announcements: [announced('draft_published', '2026-10-01'), announced('invited', '2026-11-20')],
      history: [change('movement', YESTERDAY), change('budget', YESTERDAY), change('remark', TODAY)],
    },
    null,
  )
  expect(summariesOf(entries)).toEqual(['remark', 'movement+budget', 'invited', 'draft_published'])
})

test('lists changes that can cost the bid first within an entry', () => {
  const [entry] = buildProjectHistory(
    { announcements: [], history: [change('budget', TODAY), change('submission_end_date', TODAY)] },
    null,
  )
  expect(summariesOf([entry!])).toEqual(['submission_end_date+budget'])
})

test('marks entries seen after the last visit as new, and none on a first visit', () => {
  const facts = {
    announcements: [announced('invited', '2026-11-20'), announced('invitation_amended', '2026-11-21')],
    history: [change('remark', YESTERDAY), change('budget', TODAY)],
  }
  // The last visit was yesterday at 10:00 in Bangkok, so the user may already have seen an announcement of that day.
  expect(summariesOf(buildProjectHistory(facts, '2026-11-20T03:00:00.000Z'))).toEqual([
    '*budget',
    '*invitation_amended',
    'remark',
    'invited',
  ])
  expect(summariesOf(buildProjectHistory(facts, null)).some((text) => text.startsWith('*'))).toBe(false)
  expect(summariesOf(buildProjectHistory(facts, '2026-11-21T03:00:00.000Z')).some((text) => text.startsWith('*'))).toBe(
    false,
  )
})

test('uses the Bangkok day of the last visit', () => {
  // 20 November 18:00 UTC is the 21st in Bangkok.
  const facts = { announcements: [announced('invited', '2026-11-21')], history: [] }
  expect(summariesOf(buildProjectHistory(facts, '2026-11-20T18:00:00.000Z'))).toEqual(['invited'])
  expect(summariesOf(buildProjectHistory(facts, '2026-11-20T16:00:00.000Z'))).toEqual(['*invited'])
})

test('counts the fields that changed since the last visit, none on the first', () => {
  const history = [change('a', YESTERDAY), change('b', TODAY), change('c', TODAY)]
  expect(countProjectChangesSinceVisit(history, '2026-11-20T03:00:00.000Z')).toBe(2)
  expect(countProjectChangesSinceVisit(history, null)).toBe(0)
})

test('treats a moved submission as critical, but not a first date', () => {
  expect(isCriticalDeadlineChange(change('submission_end_date', TODAY))).toBe(true)
  expect(isCriticalDeadlineChange(change('submission_time', TODAY))).toBe(true)
  expect(isCriticalDeadlineChange(change('submission_end_date', TODAY, null))).toBe(false)
  expect(isCriticalDeadlineChange(change('budget', TODAY))).toBe(false)
})

test.each([
  ['2026-11-25', '2026-11-28', 3],
  ['2026-11-28', '2026-11-25', -3],
  [null, '2026-11-25', undefined],
  ['2026-11-25', null, undefined],
  ['ไม่ระบุ', '2026-11-25', undefined],
])('measures a submission moved from %s to %s as %s days', (old, now, days) => {
  expect(getSubmissionDateShiftDays(change('submission_end_date', TODAY, old, now))).toBe(days)
})
