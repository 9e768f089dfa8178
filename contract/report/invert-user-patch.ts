import { getProjectLabelIds } from '../account/label.ts'
import type { NotificationPatch } from '../account/notification.ts'
import type { User } from '../account/user.ts'
import { applyUserPatch } from './apply-user-patch.ts'
import { invertLabelAction } from './label-state.ts'
import { getActionTargetProjectIds } from './project-targets.ts'
import type { BookmarkAction, HideAction, LabelAction, SavedFilterAction, UserPatch } from './user-patch.ts'

/**
 * Returns a patch that reverts only what `patch` changes (a star that already existed stays), or undefined if `patch`
 * changes nothing.
 */
export function invertUserPatch(before: User, patch: UserPatch): UserPatch | undefined {
  const undo: UserPatch = {}
  // Empty names are not saved, so an empty name cannot be restored.
  if (patch.first_name !== undefined && before.first_name) undo.first_name = before.first_name
  if (patch.last_name !== undefined && before.last_name) undo.last_name = before.last_name
  if (patch.is_send_report_email !== undefined) undo.is_send_report_email = before.is_send_report_email
  if (patch.is_noti_e_bidding !== undefined) undo.is_noti_e_bidding = before.is_noti_e_bidding
  if (patch.shares_looks !== undefined) undo.shares_looks = before.shares_looks ?? false
  if (patch.customize_report_table) undo.customize_report_table = before.customize_report_table
  const bookmark = patch.bookmark_action && inverseMarkAction(before.project_bookmark, patch.bookmark_action)
  if (bookmark) undo.bookmark_action = bookmark
  if (!patch.bookmark_action && patch.project_bookmark) undo.project_bookmark = before.project_bookmark
  const hide = patch.hide_action && inverseMarkAction(before.project_hidden, patch.hide_action)
  if (hide) undo.hide_action = hide
  if (patch.label_action) Object.assign(undo, inverseLabelPatch(before, patch.label_action))
  else if (patch.project_label_assignments)
    undo.project_label_assignments = labelsBefore(before, Object.keys(patch.project_label_assignments))
  const filter = patch.filter_action && inverseFilterAction(before, patch.filter_action)
  if (filter) undo.filter_action = filter
  const marks = patch.notification_updated_status && inverseNotificationPatch(before, patch)
  if (marks) undo.notification_updated_status = marks
  return Object.keys(undo).length === 0 ? undefined : undo
}

function inverseMarkAction(ids: readonly string[], action: BookmarkAction | HideAction): BookmarkAction | undefined {
  const markedIds = new Set(ids)
  const adds = action.action === 'add'
  const changed = getActionTargetProjectIds(action).filter((id) => markedIds.has(id) !== adds)
  return changed.length === 0 ? undefined : { action: adds ? 'remove' : 'add', project_ids: changed }
}

function labelsBefore(before: User, projectIds: readonly string[]): Record<string, string[]> {
  return Object.fromEntries(
    projectIds.map((id) => [id, [...getProjectLabelIds(before.project_label_assignments, id)]] as const),
  )
}

function inverseLabelPatch(before: User, action: LabelAction): UserPatch {
  const assigned = before.project_label_assignments
  if (action.action === 'remove_assignment') {
    const previousLabels = getActionTargetProjectIds(action)
      .map((id): [string, string[]] => [id, [...getProjectLabelIds(assigned, id)]])
      .filter(([, labels]) => labels.length > 0)
    return previousLabels.length === 0 ? {} : { project_label_assignments: Object.fromEntries(previousLabels) }
  }
  const undo = invertLabelAction({ labels: before.project_labels, assignments: assigned }, action)
  return undo ? { label_action: undo } : {}
}

/** Reverts only notifications listed in the patch; others that `read_up_to` marked stay read. */
function inverseNotificationPatch(before: User, patch: UserPatch): NotificationPatch | undefined {
  const { clickRead, notifications } = before.notification_updated_status
  const after = applyUserPatch(before, patch).notification_updated_status
  const changed = notifications.filter(({ read }, index) => after.notifications[index]!.read !== read)
  const undo: NotificationPatch = {
    ...(after.clickRead === clickRead ? {} : { clickRead }),
    ...(changed.length === 0 ? {} : { notifications: changed.map(({ id, read }) => ({ id, read })) }),
  }
  return Object.keys(undo).length === 0 ? undefined : undo
}

function inverseFilterAction(before: User, action: SavedFilterAction): SavedFilterAction | undefined {
  const { filter_id } = action
  const filter = before.project_save_filter_profile.find(({ id }) => id === filter_id)
  if (action.action === 'add') return filter ? undefined : { action: 'remove', filter_id }
  if (!filter) return undefined
  const { filterName, filterData, isSend: is_send, isStart: is_start, isShared: is_shared = false } = filter
  switch (action.action) {
    case 'remove':
      return {
        action: 'add',
        filter_id,
        filterName,
        filterData,
        is_send,
        ...(is_start && { is_start }),
        ...(is_shared && { is_shared }),
      }
    case 'email_toggle':
      return { action: 'email_toggle', filter_id, is_send }
    case 'start': {
      if (is_start === action.is_start) return undefined
      const startView = before.project_save_filter_profile.find(({ isStart }) => isStart)
      return startView && action.is_start
        ? { action: 'start', filter_id: startView.id, is_start: true }
        : { action: 'start', filter_id, is_start }
    }
    case 'share':
      return is_shared === action.is_shared ? undefined : { action: 'share', filter_id, is_shared }
    case 'rename':
      return { action: 'rename', filter_id, filterName }
    case 'update':
      return { action: 'update', filter_id, filterData }
  }
}
