import sql from 'sql-template-tag'
import { type BidStateFacts, isActionable } from '#contract/catalogue/bid-state.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { ChannelMessageProject } from './channel-sender.ts'

/**
 * Returns public project facts by id. Skips projects outside the organisation's report and those the user has hidden.
 */
export async function findChannelMessageProjects(
  db: Db,
  { userId, organisationId }: { readonly userId: number; readonly organisationId: number },
  ids: readonly string[],
  today: string,
): Promise<ReadonlyMap<string, ChannelMessageProject>> {
  if (ids.length === 0) return new Map()
  const rows = await db.query<Omit<ChannelMessageProject, 'isActionable'> & { facts: BidStateFacts<string> }>(sql`
    select p.project_id as id, p.name, coalesce(nullif(d.sub_name, ''), d.name) as agency, p.budget_satang as budget,
      exists (select from bookmarks b where b.user_id = ${userId}::int and b.project_id = p.project_id) as "isStarred",
      json_build_object('status', p.status, 'movement', p.movement, 'bidding_invite_date', p.bidding_invited_on,
        'submission_end_date', p.submission_ends_on, 'winner_announce_date', p.winner_announced_on) as facts
    from projects p
    join project_matches m on m.project_id = p.project_id and m.organisation_id = ${organisationId}::int
    join departments d on d.id = p.department_id
    where p.project_id = any (${[...new Set(ids)]}::text[])
      and not exists (select from hidden_projects h where h.user_id = ${userId}::int and h.project_id = p.project_id)`)
  return new Map(
    rows.map(({ facts, ...project }) => [project.id, { ...project, isActionable: isActionable(facts, today) }]),
  )
}

export type ChannelNotificationRow = {
  readonly id: number
  readonly type: string
  readonly detail: string
  readonly projectId: string | null
  readonly due: string | null
  readonly outdated: boolean
  readonly read: boolean
  readonly changes: readonly { readonly field: string; readonly old: string | null; readonly new: string | null }[]
  readonly documentId: string | null
  readonly documentKind: string | null
  readonly count: number | null
  readonly filter: string | null
  readonly about: string | null
  readonly question: Record<string, string> | null
}

export async function findChannelNotifications(
  db: Db,
  userId: number,
  ids: readonly number[],
): Promise<ChannelNotificationRow[]> {
  return db.query<ChannelNotificationRow>(sql`
    select n.id, n.type, coalesce(p.name, n.file_name, '') as detail, n.project_id as "projectId", n.due_on as due, n.read_at is not null as read,
      n.due_on is not null and n.due_on is distinct from case n.type
        when 'Discussion_date_end' then p.draft_discussion_ends_on when 'Submission_date_end' then p.submission_ends_on end as outdated,
      (select coalesce(json_agg(json_build_object('field', c.field, 'old', c.old_value, 'new', c.new_value) order by c.field), '[]')
        from project_changes c where c.project_id = n.project_id and c.load_id = n.load_id) as changes,
      d.id as "documentId", d.kind as "documentKind", n.change_count as count, f.name as filter,
      case when n.type like 'Followed%' then n.file_name end as about, q.address as question
    from notifications n left join projects p on p.project_id = n.project_id
      left join documents d on n.type = 'Document_compared' and d.id = n.version and d.organisation_id = n.organisation_id
      left join saved_questions q on n.type = 'Question_news' and q.user_id = n.user_id and q.id = n.version
      left join saved_filters f on n.type in ('Document_found', 'Filter_part_gone') and f.user_id = n.user_id and f.id = n.version
    where n.user_id = ${userId}::int and n.id = any (${[...ids]}::bigint[])
      and not exists (select from hidden_projects h where h.user_id = n.user_id and h.project_id = n.project_id)
    order by n.id desc`)
}

export async function countUnreadNotifications(db: Db, userId: number): Promise<number> {
  const [row] = await db.query<{ unread: number }>(sql`
    select count(*) as unread from notifications n where n.user_id = ${userId}::int and n.read_at is null
      and not exists (select from hidden_projects h where h.user_id = n.user_id and h.project_id = n.project_id)`)
  return row!.unread
}
