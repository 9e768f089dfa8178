import { storedFilterDataSchema } from '#contract/filter-data.ts'
import { labelMetadata } from '#contract/label.ts'
import type { Notification } from '#contract/notification.ts'
import type { User } from '#contract/user.ts'
import type { StoredNotification, UserRow } from './queries.ts'

/** The user as `GET /users/me` answers it. */
export function presentUser({
  id,
  max_labels,
  bookmarks,
  hidden,
  labels,
  assignments,
  saved_filters,
  notifications_click_read: clickRead,
  notifications,
  ...profile
}: UserRow): User {
  return {
    ...profile,
    id: String(id),
    project_bookmark: bookmarks,
    project_hidden: hidden,
    project_labels: labels,
    project_label_assignments: groupAssignments(assignments),
    // A filter that an older version stored and this one cannot read must not lock its owner out.
    project_save_filter_profile: saved_filters.filter(
      ({ filterData }) => storedFilterDataSchema.safeParse(filterData).success,
    ),
    notification_updated_status: { clickRead, notifications: notifications.map(presentNotification) },
    label_metadata: labelMetadata(max_labels, labels.length),
  }
}

const moment = (text: string) => new Date(text).toISOString()

function presentNotification({ id, created_at, changes, ...notification }: StoredNotification): Notification {
  return {
    ...notification,
    id: String(id),
    date_created: moment(created_at),
    changes: changes.map((change) => ({ ...change, seen_at: moment(change.seen_at) })),
  }
}

/** Project id → label ids. Through a Map, because project ids are data and an object would lend them its own names (R32). */
function groupAssignments(assignments: UserRow['assignments']): Record<string, string[]> {
  const groups = Map.groupBy(assignments, (assignment) => assignment.project_id)
  return Object.fromEntries(
    [...groups].map(([projectId, group]) => [projectId, group.map((assignment) => assignment.label_id)]),
  )
}
