import { expect, test } from 'vitest'
import { shouldUserPatchWaitFor } from './apply-user-patch.ts'
import type { LabelAction, UserPatch } from './user-patch.ts'

const star = (...project_ids: string[]): UserPatch => ({ bookmark_action: { action: 'add', project_ids } })
const hide = (project_id: string): UserPatch => ({ hide_action: { action: 'add', project_id } })
const label = (action: LabelAction): UserPatch => ({ label_action: action })
const create = label({ action: 'create_label', label_id: 'a', label_name: 'ก', label_color: 'sky', project_id: '1' })
const assign = (label_id: string, project_id: string) => label({ action: 'assign_label', label_id, project_id })
const clear = (project_id: string) => label({ action: 'remove_assignment', project_id })
const remove = (label_id: string) => label({ action: 'delete_label', label_id })
const rename = (label_id: string) => label({ action: 'rename_label', label_id, label_name: 'ข' })

test.each<[string, UserPatch, UserPatch]>([
  ['stars of one row', star('1'), { bookmark_action: { action: 'remove', project_id: '1' } }],
  ['a selection and a row in it', star('1', '2', '3'), star('2')],
  ['a list of stars and any star', { project_bookmark: ['1'] }, star('2')],
  ['hiding one row twice', hide('1'), hide('1')],
  ['a label and its use', create, assign('a', '9')],
  ['the end of a label and its use', assign('a', '9'), remove('a')],
  [
    'two labels made: the limit decides which',
    create,
    label({ ...create.label_action!, label_id: 'b' } as LabelAction),
  ],
  ['making room for a label and making it', remove('z'), create],
  [
    'one label of one row',
    assign('a', '1'),
    label({ action: 'unassign_label', label_id: 'a', project_ids: ['1', '2'] }),
  ],
  ['all labels of a row and one of it', assign('a', '1'), clear('1')],
  ['clearing a row and taking that back', clear('1'), { project_label_assignments: { '1': ['a'] } }],
  ['clearing a row and the end of a label', clear('1'), remove('a')],
  [
    'reading one notification and reading all',
    { notification_updated_status: { notifications: [{ id: '1', read: false }] } },
    { notification_updated_status: { read_up_to: '9' } },
  ],
  ['two changes of the columns', { customize_report_table: [] }, { customize_report_table: [] }],
  [
    'two changes of the saved filters',
    { filter_action: { action: 'remove', filter_id: 'x' } },
    { filter_action: { action: 'rename', filter_id: 'y', filterName: 'ค' } },
  ],
])('%s are sent in order', (_, first, second) => {
  expect(shouldUserPatchWaitFor(second, first)).toBe(true)
  expect(shouldUserPatchWaitFor(first, second)).toBe(true)
})

test.each<[string, UserPatch, UserPatch]>([
  ['stars of different rows', star('1'), star('2')],
  ['a star and hiding of one row', star('1'), hide('1')],
  ['a star and a label of one row', star('1'), assign('a', '1')],
  ['one label on different rows', assign('a', '1'), assign('a', '2')],
  ['different labels on one row', assign('a', '1'), assign('b', '1')],
  ['a new label and the use of another', create, assign('b', '9')],
  ['the name of a label and its use', rename('a'), assign('a', '1')],
  ['different settings', { is_noti_e_bidding: true }, { is_send_report_email: true }],
  ['columns and a star', { customize_report_table: [] }, star('1')],
])('%s are sent in parallel', (_, first, second) => {
  expect(shouldUserPatchWaitFor(second, first)).toBe(false)
  expect(shouldUserPatchWaitFor(first, second)).toBe(false)
})
