import { expect, test } from 'vitest'
import type { ReportMailProject } from './mail-content-queries.ts'
import { formatMailSubjectCounts, groupIntoMailSections } from './mail-sections.ts'

const candidate = (id: string, over: Partial<ReportMailProject> = {}): ReportMailProject => ({
  id,
  is_archived: false,
  is_new: false,
  is_changed: false,
  has_result: false,
  due: null,
  closes_on: null,
  closes_at: null,
  ...over,
})
const many = (prefix: string, count: number, over: Partial<ReportMailProject>) =>
  Array.from({ length: count }, (_, i) => candidate(`${prefix}${i}`, over))
const CLOSING = { due: 'closing', closes_on: '2026-11-25' } as const
const COMMENT = { due: 'comment', closes_on: '2026-11-24' } as const
const named = (candidates: readonly ReportMailProject[], showsDeadlines = true) =>
  groupIntoMailSections(candidates, showsDeadlines).map(({ name, ids }) => [name, ids])

test('orders the sections, and puts a project into the first one that fits', () => {
  expect(
    named([
      candidate('updated', { is_changed: true }),
      candidate('result', { is_changed: true, has_result: true }),
      candidate('new', { is_new: true, is_changed: true }),
      candidate('new and closing', { ...CLOSING, is_new: true }),
      candidate('changed and closing', { ...CLOSING, is_changed: true }),
      candidate('closing', CLOSING),
      candidate('comment', { ...COMMENT, is_new: true }),
      candidate('nothing'),
    ]),
  ).toEqual([
    ['closing', ['new and closing', 'changed and closing', 'closing']],
    ['comment', ['comment']],
    ['new', ['new']],
    ['updated', ['updated']],
    ['results', ['result']],
  ])
})

test('the second mail of a day omits deadlines already sent, and keeps new projects', () => {
  expect(named([candidate('old', CLOSING), candidate('new', { ...CLOSING, is_new: true })], false)).toEqual([
    ['new', ['new']],
  ])
})

test('shows at most fifty, gives every section a share, and counts all', () => {
  const sections = groupIntoMailSections(
    [...many('c', 120, CLOSING), ...many('n', 30, { is_new: true }), ...many('u', 4, { is_changed: true })],
    true,
  )
  expect(sections.map(({ name, ids, shownIds }) => [name, ids.length, shownIds.length])).toEqual([
    ['closing', 120, 30],
    ['new', 30, 16],
    ['updated', 4, 4],
  ])
  expect(sections[0]!.shownIds).toEqual(sections[0]!.ids.slice(0, 30))
  expect(groupIntoMailSections(many('n', 50, { is_new: true }), true)[0]!.shownIds).toHaveLength(50)
  expect(groupIntoMailSections(many('n', 51, { is_new: true }), true)[0]!.shownIds).toHaveLength(50)
})

test('counts new projects that are not listed', () => {
  const sections = groupIntoMailSections([...many('c', 3, CLOSING), ...many('n', 100, { is_new: true })], true, 640_000)
  expect(sections.map(({ name, count, shownIds }) => [name, count, shownIds.length])).toEqual([
    ['closing', 3, 3],
    ['new', 640_100, 47],
  ])
  expect(formatMailSubjectCounts(sections)).toBe('ใหม่ 640,100 · ใกล้ปิด 3')
  expect(groupIntoMailSections([], true, 5).map(({ name, count }) => [name, count])).toEqual([['new', 5]])
})

test('the subject counts new and due projects, and other changes when there are none', () => {
  const subject = (candidates: readonly ReportMailProject[]) =>
    formatMailSubjectCounts(groupIntoMailSections(candidates, true))
  const updated = many('u', 2, { is_changed: true })
  expect(subject([...many('n', 12, { is_new: true }), ...many('c', 3, CLOSING), ...updated])).toBe('ใหม่ 12 · ใกล้ปิด 3')
  expect(subject([...many('c', 1_200, CLOSING), ...updated])).toBe('ใกล้ปิด 1,200')
  expect(subject([...many('c', 3, CLOSING), ...many('d', 2, COMMENT)])).toBe('ใกล้ปิด 3 · วิจารณ์ร่าง 2')
  expect(subject([...updated, candidate('r', { is_changed: true, has_result: true })])).toBe('อัปเดต 2 · ผล 1')
})
