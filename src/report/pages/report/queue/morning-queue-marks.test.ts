import { expect, test } from 'vitest'
import { buildRestoreMarksPatch } from './morning-queue-marks.ts'
import type { MorningQueueMarks } from './morning-queue-state.ts'

const NONE: MorningQueueMarks = { starred: false, hidden: false, labels: [] }
const all = new Set(['a', 'b'])

test('contains only the differences, in one change', () => {
  expect(buildRestoreMarksPatch('1', NONE, NONE, all)).toBeUndefined()
  expect(buildRestoreMarksPatch('1', { starred: true, hidden: true, labels: ['a'] }, NONE, all)).toEqual({
    bookmark_action: { action: 'remove', project_ids: ['1'] },
    hide_action: { action: 'remove', project_ids: ['1'] },
    project_label_assignments: { 1: [] },
  })
  expect(
    buildRestoreMarksPatch('1', { ...NONE, labels: ['a'] }, { ...NONE, starred: true, labels: ['a'] }, all),
  ).toEqual({
    bookmark_action: { action: 'add', project_ids: ['1'] },
  })
})

test('omits a label deleted meanwhile, as the server would refuse the whole change', () => {
  expect(buildRestoreMarksPatch('1', NONE, { ...NONE, labels: ['gone'] }, all)).toBeUndefined()
  expect(buildRestoreMarksPatch('1', NONE, { ...NONE, labels: ['gone', 'b'] }, all)).toEqual({
    project_label_assignments: { 1: ['b'] },
  })
})
