import { expect, test } from 'vitest'
import type { User } from '#contract/account/user.ts'
import { buildProjectRowDisplayData } from './project-row-display-data.ts'

const USER = {
  project_labels: [{ id: 'road', name: 'งานถนน', color: 'amber' }],
  project_label_assignments: { '1': ['road', 'deleted-meanwhile'] },
} as unknown as User

test('marks wanted words, but not excluded ones', () => {
  const marks = buildProjectRowDisplayData(
    { project_name__in: 'กล้อง||CCTV<<ซ่อม', project_dept_sub__in: 'เทศบาล' },
    USER,
    '2026-11-21',
  )
  expect(marks.nameWords).toEqual(['กล้อง', 'CCTV'])
  expect(marks.deptWords).toEqual(['เทศบาล'])
  expect(marks.winnerWords).toEqual([])
})

test('returns only labels that still exist', () => {
  const marks = buildProjectRowDisplayData({}, USER, '2026-11-21')
  expect(marks.labelsOf('1').map(({ name }) => name)).toEqual(['งานถนน'])
  expect(marks.labelsOf('2')).toEqual([])
})
