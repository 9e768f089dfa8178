import fc from 'fast-check'
import type { FilterCriteria } from '#contract/account/filter-criteria.ts'
import type { UserPatch } from '#contract/report/user-patch.ts'
import { projectId } from './world/user-world.ts'

/** Number of notifications. Patches mark some of the ids 1 to this number, and one that does not exist. */
export const NOTIFICATIONS = 4

export const UNKNOWN_PROJECT = '99'

/** Few ids and names, so that tabs collide: the same star, the last slot for a label, a name that another tab took. */
const knownProject = fc.constantFrom(1, 2, 3, 4, 5).map(projectId)
const project = fc.oneof(
  { weight: 12, arbitrary: knownProject },
  { weight: 1, arbitrary: fc.constant(UNKNOWN_PROJECT) },
)
const targets = fc.oneof(
  fc.record({ project_id: project }),
  fc.record({ project_ids: fc.uniqueArray(project, { minLength: 1, maxLength: 4 }) }),
)
const labelId = fc.constantFrom('l1', 'l2', 'l3', 'l4', 'l5')
const filterId = fc.constantFrom('f1', 'f2', 'f3')
const name = fc.constantFrom('ถนน', 'กล้อง', ' กล้อง', 'CCTV', 'รอราคา')
const filterData = fc.constantFrom<FilterCriteria[]>(
  { filter: {}, search: [] },
  { filter: { bookmark: true }, search: [] },
  { filter: { budget: [1, null] }, search: [] },
)
const act = <T extends string>(action: T) => ({ action: fc.constant(action) })
const marking = fc
  .tuple(fc.constantFrom('add' as const, 'remove' as const), targets)
  .map(([action, named]) => ({ action, ...named }))

const labelAction = fc.oneof(
  fc
    .tuple(labelId, name, fc.constantFrom('sky', 'rose'), fc.oneof(targets, fc.constant({})))
    .map(([label_id, label_name, label_color, named]) => ({
      action: 'create_label' as const,
      label_id,
      label_name,
      label_color,
      ...named,
    })),
  fc
    .tuple(fc.constantFrom('assign_label' as const, 'unassign_label' as const), labelId, targets)
    .map(([action, label_id, named]) => ({ action, label_id, ...named })),
  targets.map((named) => ({ action: 'remove_assignment' as const, ...named })),
  fc.record({ ...act('delete_label'), label_id: labelId }),
  fc.record({ ...act('rename_label'), label_id: labelId, label_name: name }),
  fc.record({ ...act('recolor_label'), label_id: labelId, label_color: fc.constantFrom('teal', 'amber') }),
)
const filterAction = fc.oneof(
  fc.record({ ...act('add'), filter_id: filterId, filterName: name, filterData, is_start: fc.boolean() }),
  fc.record({ ...act('remove'), filter_id: filterId }),
  fc.record({ ...act('email_toggle'), filter_id: filterId }),
  fc.record({ ...act('email_toggle'), filter_id: filterId, is_send: fc.boolean() }),
  fc.record({ ...act('start'), filter_id: filterId, is_start: fc.boolean() }),
  fc.record({ ...act('rename'), filter_id: filterId, filterName: name }),
  fc.record({ ...act('update'), filter_id: filterId, filterData }),
)
const columns = fc
  .constantFrom('name', 'budget', 'status')
  .map((field) => [{ id: field, field, title: field, showHideColumn: true, currentPosition: 0, defaultPosition: 0 }])
const notificationId = fc.integer({ min: 1, max: NOTIFICATIONS + 1 }).map(String)
const notificationPatch = fc.record(
  {
    clickRead: fc.boolean(),
    read_up_to: notificationId,
    notifications: fc.array(fc.record({ id: notificationId, read: fc.boolean() }), { maxLength: 3 }),
  },
  { requiredKeys: [] },
)
const oneChange: fc.Arbitrary<UserPatch> = fc.oneof(
  { weight: 4, arbitrary: marking.map((bookmark_action) => ({ bookmark_action })) },
  { weight: 2, arbitrary: marking.map((hide_action) => ({ hide_action })) },
  { weight: 6, arbitrary: labelAction.map((label_action) => ({ label_action })) },
  { weight: 4, arbitrary: filterAction.map((filter_action) => ({ filter_action })) },
  {
    weight: 1,
    arbitrary: fc.uniqueArray(knownProject, { maxLength: 3 }).map((project_bookmark) => ({ project_bookmark })),
  },
  {
    weight: 1,
    arbitrary: fc
      .dictionary(knownProject, fc.uniqueArray(labelId, { maxLength: 2 }), { maxKeys: 2 })
      .map((project_label_assignments) => ({ project_label_assignments })),
  },
  {
    weight: 2,
    arbitrary: notificationPatch.map((notification_updated_status) => ({ notification_updated_status })),
  },
  { weight: 1, arbitrary: columns.map((customize_report_table) => ({ customize_report_table })) },
  { weight: 1, arbitrary: fc.boolean().map((is_noti_e_bidding) => ({ is_noti_e_bidding })) },
  { weight: 1, arbitrary: fc.boolean().map((is_send_coverage_email) => ({ is_send_coverage_email })) },
  { weight: 1, arbitrary: fc.boolean().map((shares_looks) => ({ shares_looks })) },
)
/** Generates any patch. Some patches make several changes at once, of which all or none are applied. */
export const userPatchArbitrary: fc.Arbitrary<UserPatch> = fc.oneof(
  { weight: 4, arbitrary: oneChange },
  { weight: 1, arbitrary: fc.tuple(oneChange, oneChange).map(([a, b]) => ({ ...a, ...b })) },
)
