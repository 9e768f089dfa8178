import { expect, test } from 'vitest'
import { filterNotificationsByTab, groupNotificationsByDay } from './group-notifications.ts'
import { buildTestNotification } from './notification-for-tests.ts'

const TODAY = '2026-11-21'

test('groups by Bangkok day and project, at the position of the newest item', () => {
  const made = (id: string, project_id: string, date_created: string) =>
    buildTestNotification({ id, project_id, date_created })
  const days = groupNotificationsByDay(
    [
      made('6', 'a', '2026-11-20T18:00:00Z'),
      made('5', 'b', '2026-11-20T17:30:00Z'),
      made('4', 'a', '2026-11-20T17:00:00Z'),
      made('3', 'a', '2026-11-20T16:59:59Z'),
      made('2', 'c', '2026-11-19T17:00:00Z'),
      made('1', 'c', '2026-11-01T02:00:00Z'),
    ],
    TODAY,
  )
  expect(days.map(({ title, clusters }) => [title, clusters.map(({ items }) => items.map(({ id }) => id))])).toEqual([
    ['วันนี้', [['6', '4'], ['5']]],
    ['เมื่อวาน', [['3'], ['2']]],
    ['1 พ.ย. 2569', [['1']]],
  ])
})

test('never groups files', () => {
  const file = (id: string) => buildTestNotification({ id, type: 'Export_ready', project_id: null, export_id: id })
  expect(groupNotificationsByDay([file('2'), file('1')], TODAY)[0]?.clusters).toHaveLength(2)
})

test('lists one type per tab; the first tab adds files and omits unknown types', () => {
  const types = ['Updated', 'Discussion_date_end', 'Submission_date_end', 'Export_ready', 'Of_a_later_version']
  const all = types.map((type) => buildTestNotification({ type }))
  const listed = (tab: Parameters<typeof filterNotificationsByTab>[0]) =>
    filterNotificationsByTab(tab, all).map(({ type }) => type)
  expect(listed('All')).toEqual(types.slice(0, 4))
  for (const tab of ['Updated', 'Discussion_date_end', 'Submission_date_end'] as const)
    expect(listed(tab)).toEqual([tab])
})
