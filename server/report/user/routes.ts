import { z } from 'zod/mini'
import { filterCriteriaSchema, storedFilterCriteriaSchema } from '#contract/account/filter-criteria.ts'
import { buildLabelMetadata } from '#contract/account/label.ts'
import type { Notification } from '#contract/account/notification.ts'
import { type User, userSchema } from '#contract/account/user.ts'
import { parseFilterCriteria } from '#contract/report/saved-filter-search.ts'
import { userPatchSchema } from '#contract/report/user-patch.ts'
import { hasPreferHeader } from '#server/platform/route/has-prefer-header.ts'
import { parseIdempotencyKeyHeader } from '#server/platform/route/idempotency-keys.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { convertLiteralUserPatchActions } from './convert-literal-actions.ts'
import { patchUser } from './patch-user.ts'
import { findUser, type StoredNotification, type UserRow } from './queries.ts'

function presentUser({
  id,
  max_labels,
  bookmarks,
  hidden,
  labels,
  assignments,
  saved_filters,
  start_team_view: start,
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
    // Skip filters of an older version that are unreadable, because they must not prevent the user from signing in.
    project_save_filter_profile: saved_filters.filter(({ filterData }) => isReadable(filterData)),
    ...(start && {
      start_team_view: { ...start, filterData: isReadable(start.filterData) ? start.filterData : null },
    }),
    notification_updated_status: { clickRead, notifications: notifications.map(presentNotification) },
    label_metadata: buildLabelMetadata(max_labels, labels.length),
  }
}

const isReadable = (filterData: unknown) => storedFilterCriteriaSchema.safeParse(filterData).success

const isoTimestamp = (text: string) => new Date(text).toISOString()

function presentNotification(stored: StoredNotification): Notification {
  const { id, created_at, changes, document_id, document_kind, change_count, about, filter, question, found, ...rest } =
    stored
  return {
    ...rest,
    ...(document_id !== null && { document_id }),
    ...(about !== null && { about }),
    ...(question !== null && { question }),
    ...(document_kind !== null && { document_kind }),
    ...(change_count !== null && found === null && { change_count }),
    ...(found !== null && { found }),
    ...(filter !== null && { filter: { id: filter.id, name: filter.name, ...wordsInDocuments(filter.data) } }),
    id: String(id),
    date_created: isoTimestamp(created_at),
    changes: changes.map((change) => ({ ...change, seen_at: isoTimestamp(change.seen_at) })),
  }
}

function wordsInDocuments(stored: unknown): { words?: string } {
  const data = filterCriteriaSchema.safeParse(stored)
  const words = data.success ? parseFilterCriteria(data.data).search.document_text__in : undefined
  return words === undefined ? {} : { words }
}

/**
 * Returns label ids by project id. Uses a Map because project ids are data and could collide with object property names
 * (R32).
 */
function groupAssignments(assignments: UserRow['assignments']): Record<string, string[]> {
  const groups = Map.groupBy(assignments, (assignment) => assignment.project_id)
  return Object.fromEntries(
    [...groups].map(([projectId, group]) => [projectId, group.map((assignment) => assignment.label_id)]),
  )
}

const receivedPatchSchema = z.pipe(
  z.transform(convertLiteralUserPatchActions),
  z.extend(userPatchSchema, { project_labels: z.optional(z.unknown()) }),
)

export function userRoutes(app: RouteApp, context: RouteContext): void {
  app.get(
    '/users/me',
    {
      config: { operator: true, setUp: true },
      schema: {
        tags: ['user'],
        summary: 'Get the signed-in user with their marks and settings',
        response: { 200: userSchema },
      },
    },
    async (request) => {
      const { userId, isSetUpDue } = await context.actorOf(request)
      const user = await findUser(context.db, userId)
      if (!user) throw new ProblemError('session_invalid')
      return { ...presentUser(user), ...(isSetUpDue && { second_factor_due: true }) }
    },
  )

  app.patch(
    '/users/me',
    {
      schema: {
        tags: ['user'],
        summary:
          'Change settings and marks of the signed-in user by actions, all or nothing. An action may also be sent as its name alone, with its fields next to it (`bookmark_action` set to `add` with `project_bookmark`; `label_action` set to `create_label` with `project_id`, `label_id`, `label_name`, `label_color`; `filter_action` set to `email_toggle` with `filter_id`). With `Prefer: return=minimal` (RFC 7240) the response is 204 without the user. Repeatable with the same Idempotency-Key',
        body: receivedPatchSchema,
        response: { 200: userSchema, 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const isMinimal = hasPreferHeader(request, 'return=minimal')
      const actor = await context.actorOf(request)
      const user = await patchUser(context.db, actor, request.body, {
        ...{ at: context.now(), isMinimal, key: parseIdempotencyKeyHeader(request) },
      })
      if (user) return presentUser(user)
      return reply.code(204).header('preference-applied', 'return=minimal').send(undefined)
    },
  )
}
