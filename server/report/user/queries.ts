import sql from 'sql-template-tag'
import type { Label } from '#contract/account/label.ts'
import type { Notification } from '#contract/account/notification.ts'
import type { SavedFilter } from '#contract/account/saved-filter.ts'
import type { User } from '#contract/account/user.ts'
import type { ColumnSetting } from '#contract/catalogue/column.ts'
import { newestNotificationsSql } from '#server/account/notification/notifications.ts'
import type { Db } from '#server/platform/engine/db.ts'

export type UserRow = Pick<
  User,
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'role'
  | 'is_send_report_email'
  | 'is_noti_e_bidding'
  | 'is_send_coverage_email'
  | 'is_access_budget_year'
  | 'shares_looks'
> & {
  id: number
  customize_report_table: ColumnSetting[]
  max_labels: number
  bookmarks: string[]
  labels: Label[]
  assignments: { project_id: string; label_id: string }[]
  hidden: string[]
  saved_filters: SavedFilter[]
  start_team_view: User['start_team_view']
  notifications_click_read: boolean
  notifications: StoredNotification[]
}

/** A notification as stored; timestamps are in JSON format: ISO with offset. */
export type StoredNotification = Pick<
  Notification,
  'read' | 'type' | 'detail' | 'project_id' | 'due_date' | 'outdated' | 'changes' | 'export_id'
> & {
  id: number
  created_at: string
  document_id: string | null
  document_kind: string | null
  change_count: number | null
  filter: { id: string; name: string; data: unknown } | null
  about: string | null
  question: Record<string, string> | null
  found: { word: string; page: number } | null
}

/**
 * SQL for the user's notifications. A warning is outdated if the project's date has changed since (D17). `changes` are
 * the changes by the load that the notification refers to.
 */
const NOTIFICATIONS = sql`
  select coalesce(jsonb_agg(jsonb_build_object(
      'id', n.id, 'read', n.read_at is not null, 'type', n.type, 'detail', coalesce(p.name, n.file_name, ''), 'project_id', n.project_id,
      'created_at', n.created_at, 'due_date', n.due_on, 'export_id', n.export_id,
      'about', case when n.type like 'Followed%' then n.file_name end, 'document_id', d.id, 'document_kind', d.kind, 'change_count', n.change_count,
      'question', q.address,
      'found', case when n.type = 'Document_found' and n.file_name is not null then jsonb_build_object('word', n.file_name, 'page', n.change_count) end,
      'filter', case when f.id is not null then jsonb_build_object('id', f.id, 'name', f.name, 'data', f.filter_data) end,
      'outdated', n.due_on is not null and n.due_on is distinct from case n.type
        when 'Discussion_date_end' then p.draft_discussion_ends_on when 'Submission_date_end' then p.submission_ends_on end,
      'changes', case when n.load_id is null then '[]' else (
        select coalesce(jsonb_agg(jsonb_build_object('field', c.field, 'old', c.old_value, 'new', c.new_value, 'seen_at', l.published_at) order by c.field), '[]')
        from project_changes c join loads l on l.id = c.load_id
        where c.project_id = n.project_id and c.load_id = n.load_id) end
    ) order by n.id desc), '[]')
  from (${newestNotificationsSql(sql`u.id`)}) n left join projects p on p.project_id = n.project_id
    left join documents d on n.type = 'Document_compared' and d.id = n.version and d.organisation_id = n.organisation_id
    left join saved_questions q on n.type = 'Question_news' and q.user_id = n.user_id and q.id = n.version
    left join saved_filters f on n.type in ('Document_found', 'Filter_part_gone') and f.user_id = n.user_id and f.id = n.version`

export async function findUser(db: Db, userId: number): Promise<UserRow | undefined> {
  const rows = await db.query<UserRow>(
    sql`
    select u.id, u.first_name, u.last_name, u.email, u.role, u.is_send_report_email, u.is_noti_e_bidding, u.is_send_coverage_email,
           u.is_access_budget_year, u.shares_looks_since is not null as shares_looks, u.customize_report_table, u.max_labels,
           (select coalesce(jsonb_agg(b.project_id order by b.created_at, b.project_id), '[]')
              from bookmarks b where b.user_id = u.id) as bookmarks,
           (select coalesce(jsonb_agg(h.project_id order by h.created_at, h.project_id), '[]')
              from hidden_projects h where h.user_id = u.id) as hidden,
           (select coalesce(jsonb_agg(jsonb_build_object('id', l.id, 'name', l.name, 'color', l.color) order by l.created_at, l.id), '[]')
              from labels l where l.user_id = u.id) as labels,
           (select coalesce(jsonb_agg(jsonb_build_object('project_id', a.project_id, 'label_id', a.label_id) order by a.created_at, a.label_id), '[]')
              from label_assignments a where a.user_id = u.id) as assignments,
           (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'filterName', f.name, 'isSend', f.is_send, 'isStart', f.is_start, 'filterData', f.filter_data)
              || case when f.shared_with is null then '{}'::jsonb else '{"isShared": true}' end order by f.created_at, f.id), '[]')
              from saved_filters f where f.user_id = u.id) as saved_filters,
           (select json_build_object('id', s.filter_id, 'owner', s.owner_id, 'name', coalesce(f.name, s.name), 'filterData', f.filter_data,
               'owner_name', coalesce(nullif(concat_ws(' ', w.first_name, w.last_name), ''), w.email))
              from team_view_starts s join users w on w.id = s.owner_id
              left join saved_filters f on f.user_id = s.owner_id and f.id = s.filter_id and f.shared_with = u.organisation_id
              where s.user_id = u.id) as start_team_view,
           u.notifications_click_read, (${NOTIFICATIONS}) as notifications
    from users u where u.id = ${userId}`,
    { name: 'user_with_marks' },
  )
  return rows[0]
}
