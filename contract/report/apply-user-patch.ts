import type { FilterCriteria } from '../account/filter-criteria.ts'
import { buildLabelMetadata, getProjectLabelIds, type LabelAssignments } from '../account/label.ts'
import type { NotificationGroup, NotificationPatch } from '../account/notification.ts'
import type { User } from '../account/user.ts'
import { applyActionToLabelState, reassignProjectLabels } from './label-state.ts'
import { getActionTargetProjectIds } from './project-targets.ts'
import type { BookmarkAction, HideAction, LabelAction, SavedFilterAction, UserPatch } from './user-patch.ts'

/**
 * Applies a patch to a user. The browser uses it for optimistic updates, and a model test verifies that the server's
 * SQL gives the same result. The server enforces limits and unique names; a patch for a missing item is a no-op.
 */
export function applyUserPatch(user: User, patch: UserPatch): User {
  let next = user
  if (patch.first_name !== undefined) next = { ...next, first_name: patch.first_name }
  if (patch.last_name !== undefined) next = { ...next, last_name: patch.last_name }
  if (patch.is_send_report_email !== undefined) next = { ...next, is_send_report_email: patch.is_send_report_email }
  if (patch.is_noti_e_bidding !== undefined) next = { ...next, is_noti_e_bidding: patch.is_noti_e_bidding }
  if (patch.shares_looks !== undefined) next = { ...next, shares_looks: patch.shares_looks }
  if (patch.customize_report_table) next = { ...next, customize_report_table: patch.customize_report_table }
  if (patch.bookmark_action)
    next = { ...next, project_bookmark: applyMarkAction(next.project_bookmark, patch.bookmark_action) }
  else if (patch.project_bookmark) next = { ...next, project_bookmark: [...new Set(patch.project_bookmark)] }
  if (patch.hide_action) next = { ...next, project_hidden: applyMarkAction(next.project_hidden, patch.hide_action) }
  if (patch.label_action) next = applyLabelAction(next, patch.label_action)
  else if (patch.project_label_assignments) next = setAssignments(next, patch.project_label_assignments)
  if (patch.filter_action) next = applyFilterAction(next, patch.filter_action, getFilterCriteriaAddedByPatch(patch))
  if (patch.notification_updated_status) {
    const group = applyNotificationPatch(next.notification_updated_status, patch.notification_updated_status)
    next = { ...next, notification_updated_status: group }
  }
  return next
}

/**
 * Applies the notification part of a patch. Marking a notification by id takes precedence over `read_up_to`; ids that
 * are not in the list are ignored.
 */
function applyNotificationPatch(
  { clickRead, notifications }: NotificationGroup,
  { clickRead: nextClickRead = clickRead, notifications: marks = [], read_up_to: upTo = '0' }: NotificationPatch,
): NotificationGroup {
  const readById = new Map(marks.map(({ id, read }) => [Number(id), read]))
  const isRead = ({ id, read }: NotificationGroup['notifications'][number]) =>
    readById.get(Number(id)) ?? (read || Number(id) <= Number(upTo))
  return {
    clickRead: nextClickRead,
    notifications: notifications.map((notification) => ({ ...notification, read: isRead(notification) })),
  }
}

export function getFilterCriteriaAddedByPatch({ filter_action: action, project_save_filter_profile: list }: UserPatch) {
  if (action?.action !== 'add') return undefined
  return action.filterData ?? list?.find(({ id }) => id === action.filter_id)?.filterData
}

function applyMarkAction(ids: readonly string[], action: BookmarkAction | HideAction): string[] {
  const targets = getActionTargetProjectIds(action)
  const targetSet = new Set(targets)
  return action.action === 'add' ? [...new Set([...ids, ...targets])] : ids.filter((id) => !targetSet.has(id))
}

const withLabels = (user: User, project_labels: User['project_labels']): User => ({
  ...user,
  project_labels,
  label_metadata: buildLabelMetadata(user.label_metadata.maxLabels, project_labels.length),
})

function setAssignments(user: User, changes: LabelAssignments): User {
  const knownLabelIds = new Set(user.project_labels.map((label) => label.id))
  return {
    ...user,
    project_label_assignments: reassignProjectLabels(user.project_label_assignments, Object.keys(changes), (_, id) =>
      getProjectLabelIds(changes, id).filter((label) => knownLabelIds.has(label)),
    ),
  }
}

function applyLabelAction(user: User, action: LabelAction): User {
  const before = { labels: user.project_labels, assignments: user.project_label_assignments }
  const { labels, assignments } = applyActionToLabelState(before, action)
  return withLabels({ ...user, project_label_assignments: assignments }, labels)
}

function applyFilterAction(user: User, action: SavedFilterAction, filterData: FilterCriteria | undefined): User {
  const filters = user.project_save_filter_profile
  const { filter_id: id } = action
  const withFilters = (project_save_filter_profile: User['project_save_filter_profile']): User => ({
    ...user,
    project_save_filter_profile,
  })
  const withChange = (change: (filter: (typeof filters)[number]) => Partial<(typeof filters)[number]>) =>
    withFilters(filters.map((filter) => (filter.id === id ? { ...filter, ...change(filter) } : filter)))
  switch (action.action) {
    case 'add': {
      const { filterName, is_send: isSend = false, is_start: wantsStart = false, is_shared: isShared } = action
      if (!filterData || filters.some((filter) => filter.id === id)) return user
      const isStart = wantsStart && !filters.some((filter) => filter.isStart)
      return withFilters([...filters, { id, filterName, isSend, isStart, ...(isShared && { isShared }), filterData }])
    }
    case 'remove':
      return withFilters(filters.filter((filter) => filter.id !== id))
    case 'email_toggle':
      return withChange((filter) => ({ isSend: action.is_send ?? !filter.isSend }))
    case 'start':
      if (!filters.some((filter) => filter.id === id)) return user
      return {
        ...withFilters(
          filters.map((filter) => ({
            ...filter,
            isStart: filter.id === id ? action.is_start : filter.isStart && !action.is_start,
          })),
        ),
        ...(action.is_start && user.start_team_view && { start_team_view: null }),
      }
    case 'share':
      return withChange(() => ({ isShared: action.is_shared }))
    case 'rename':
      return withChange(() => ({ filterName: action.filterName }))
    case 'update':
      return withChange(() => ({ filterData: action.filterData }))
  }
}
