import { storedFilterDataSchema } from '#contract/filter-data.ts'
import { labelMetadata } from '#contract/label.ts'
import type { User } from '#contract/user.ts'
import type { UserRow } from './queries.ts'

/** The user as `GET /users/me` answers it. */
export function presentUser({
  id,
  max_labels,
  bookmarks,
  hidden,
  labels,
  assignments,
  saved_filters,
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
    // Notifications are not made yet; an empty, read list is what the bell shows nothing for.
    notification_updated_status: { clickRead: false, notifications: [] },
    label_metadata: labelMetadata(max_labels, labels.length),
  }
}

/** Project id → label ids. Through a Map, because project ids are data and an object would lend them its own names (R32). */
function groupAssignments(assignments: UserRow['assignments']): Record<string, string[]> {
  const groups = Map.groupBy(assignments, (assignment) => assignment.project_id)
  return Object.fromEntries(
    [...groups].map(([projectId, group]) => [projectId, group.map((assignment) => assignment.label_id)]),
  )
}
