import type { Sql } from 'sql-template-tag'
import sql from 'sql-template-tag'
import {
  type Colleague,
  DEFAULT_PURSUIT_CHECKLIST,
  DEFAULT_PURSUIT_STAGES,
  type PursuitSettings,
  type PursuitSettingsPatch,
  type PursuitStage,
} from '#contract/account/pursuit-settings.ts'
import { USER_ROLES } from '#contract/account/user.ts'
import type { PursuitState } from '#contract/team/apply-pursuit-action.ts'
import type { Pursuit, PursuitDetail, PursuitEvent, PursuitNote } from '#contract/team/pursuit.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'

export type PursuitBoard = Pick<PursuitSettings, 'stages' | 'template' | 'price_roles'> & { readonly version: number }

type StoredBoard = {
  readonly version: number
  readonly stages: PursuitStage[] | null
  readonly template: string[] | null
  readonly price_roles: string[] | null
}

const timestamptz = (text: string) => sql`${text}::timestamptz`
const iso = (text: string) => new Date(text).toISOString()
const isoOrNull = (text: string | null) => text && iso(text)

const boardOf = (stored: StoredBoard | undefined): PursuitBoard => ({
  version: stored?.version ?? 0,
  stages: stored?.stages ?? [...DEFAULT_PURSUIT_STAGES],
  template: stored?.template ?? [...DEFAULT_PURSUIT_CHECKLIST],
  price_roles: stored?.price_roles ?? USER_ROLES.map(({ code }) => code),
})

export async function loadPursuitBoard(db: Db, organisationId: number): Promise<PursuitBoard> {
  const [stored] = await db.query<StoredBoard>(sql`
    select version, stages, template, price_roles from pursuit_boards where organisation_id = ${organisationId}::int`)
  return boardOf(stored)
}

/** Locks the board: until the transaction ends, no other transaction can change the organisation's pursuits or settings. */
export async function lockPursuitBoard(tx: Db, organisationId: number): Promise<PursuitBoard> {
  await tx.execute(
    sql`insert into pursuit_boards (organisation_id) values (${organisationId}::int) on conflict do nothing`,
  )
  const [stored] = await tx.query<StoredBoard>(sql`
    select version, stages, template, price_roles from pursuit_boards where organisation_id = ${organisationId}::int for no key update`)
  return boardOf(stored)
}

/** Stores the board's settings. Call while holding the board lock. */
export async function storePursuitSettings(tx: Db, organisationId: number, patch: PursuitSettingsPatch): Promise<void> {
  const json = (value: unknown) => (value === undefined ? null : JSON.stringify(value))
  await tx.execute(sql`
    update pursuit_boards set version = version + 1, stages = coalesce(${json(patch.stages)}::jsonb, stages),
      template = coalesce(${json(patch.template)}::jsonb, template),
      price_roles = coalesce(${patch.price_roles === undefined ? null : [...patch.price_roles]}::text[], price_roles)
    where organisation_id = ${organisationId}::int`)
}

export async function listPursuitStagesInUse(tx: Db, organisationId: number): Promise<string[]> {
  const rows = await tx.query<{ stage: string }>(
    sql`select distinct stage from pursuits where organisation_id = ${organisationId}::int`,
  )
  return rows.map(({ stage }) => stage)
}

export async function listColleagues(db: Db, organisationId: number): Promise<Colleague[]> {
  return db.query<Colleague>(sql`
    select u.id, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as name, u.is_disabled
    from users u where u.organisation_id = ${organisationId}::int order by u.is_disabled, 2, u.id`)
}

export async function isProjectKnownToOrganisation(
  db: Db,
  organisationId: number,
  projectId: string,
): Promise<boolean> {
  const condition = sql`organisation_id = ${organisationId}::int and project_id = ${projectId}`
  const [row] = await db.query<{ known: boolean }>(sql`
    select exists (select from project_matches where ${condition}) or exists (select from pursuits where ${condition})
      or exists (select from pursuit_notes where ${condition}) or exists (select from team_label_assignments where ${condition})
      or exists (select from draft_comments where ${condition}) as known`)
  return row!.known
}

type StoredPursuit = Omit<Pursuit, 'price' | 'owner'> & {
  readonly price_satang: number | null
  readonly owner_id: number | null
}

function presentPursuit({ price_satang, owner_id, ...stored }: StoredPursuit): Pursuit {
  return {
    ...stored,
    owner: owner_id,
    price: satangToBaht(price_satang),
    stage_since: iso(stored.stage_since),
    decided_at: isoOrNull(stored.decided_at),
    created_at: iso(stored.created_at),
    changed_at: iso(stored.changed_at),
  }
}

export async function loadPursuitState(db: Db, organisationId: number, projectId: string): Promise<PursuitState> {
  const condition = sql`organisation_id = ${organisationId}::int and project_id = ${projectId}`
  const [pursuit] = await db.query<StoredPursuit>(sql`
    select stage, stage_since, owner_id, decision, reason, decided_by, decided_at, lost_reason, price_satang, checklist, created_by, created_at, changed_at
    from pursuits where ${condition}`)
  const notes = await db.query<PursuitNote>(sql`
    select n.id, n.user_id as author, n.text, n.mentions, n.is_pinned, n.created_at, n.edited_at, n.deleted_at,
      (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'type', f.type, 'bytes', f.bytes) order by f.place), '[]')
        from note_files f where f.organisation_id = n.organisation_id and f.project_id = n.project_id and f.note_id = n.id) as files
    from pursuit_notes n where ${condition} order by n.place, n.id`)
  return {
    pursuit: pursuit ? presentPursuit(pursuit) : null,
    notes: notes.map((note) => ({
      ...note,
      created_at: iso(note.created_at),
      edited_at: isoOrNull(note.edited_at),
      deleted_at: isoOrNull(note.deleted_at),
    })),
  }
}

/** Stores the pursuit, or deletes the stored one if `pursuit` is null. Call while holding the board lock. */
export async function savePursuit(
  tx: Db,
  organisationId: number,
  projectId: string,
  pursuit: Pursuit | null,
): Promise<void> {
  if (pursuit === null) {
    await tx.execute(
      sql`delete from pursuits where organisation_id = ${organisationId}::int and project_id = ${projectId}`,
    )
    return
  }
  const { decided_at: decidedAt, price } = pursuit
  await tx.execute(sql`
    insert into pursuits (organisation_id, project_id, stage, stage_since, owner_id, decision, reason, decided_by, decided_at, lost_reason, price_satang,
      checklist, created_by, created_at, changed_at)
    values (${organisationId}::int, ${projectId}, ${pursuit.stage}, ${timestamptz(pursuit.stage_since)}, ${pursuit.owner}::int, ${pursuit.decision},
      ${pursuit.reason}, ${pursuit.decided_by}::int, ${decidedAt}::timestamptz, ${pursuit.lost_reason},
      ${price === null ? null : Math.round(price * 100)}::bigint, ${JSON.stringify(pursuit.checklist)}::jsonb, ${pursuit.created_by}::int,
      ${timestamptz(pursuit.created_at)}, ${timestamptz(pursuit.changed_at)})
    on conflict (organisation_id, project_id) do update set
      stage = excluded.stage, stage_since = excluded.stage_since, owner_id = excluded.owner_id, decision = excluded.decision, reason = excluded.reason,
      decided_by = excluded.decided_by, decided_at = excluded.decided_at, lost_reason = excluded.lost_reason, price_satang = excluded.price_satang,
      checklist = excluded.checklist, changed_at = excluded.changed_at`)
}

/** Stores a note; `place` is the position of a new note in the thread. Call while holding the board lock. */
export async function savePursuitNote(
  tx: Db,
  organisationId: number,
  projectId: string,
  { note, place }: { readonly note: PursuitNote; readonly place: number },
): Promise<void> {
  const { id, author, text, mentions, is_pinned, created_at, edited_at, deleted_at } = note
  await tx.execute(sql`
    insert into pursuit_notes (organisation_id, project_id, id, place, user_id, text, mentions, is_pinned, created_at, edited_at, deleted_at)
    values (${organisationId}::int, ${projectId}, ${id}, ${place}::bigint, ${author}::int, ${text}, ${mentions}::int[], ${is_pinned}::boolean,
      ${timestamptz(created_at)}, ${edited_at}::timestamptz, ${deleted_at}::timestamptz)
    on conflict (organisation_id, project_id, id) do update set
      text = excluded.text, mentions = excluded.mentions, is_pinned = excluded.is_pinned, edited_at = excluded.edited_at, deleted_at = excluded.deleted_at`)
}

/** Notifies mentioned colleagues; skips the caller, closed accounts and those already notified. */
export async function notifyMentionedColleagues(
  tx: Db,
  projectId: string,
  { id, mentions }: Pick<PursuitNote, 'id' | 'mentions'>,
  at: string,
): Promise<void> {
  await tx.query(sql`select tell_mentioned(${[...mentions]}::int[], ${projectId}, ${id}, ${timestamptz(at)})`)
}

export async function notifyPursuitStageRemoved(
  tx: Db,
  { id, name }: Pick<PursuitStage, 'id' | 'name'>,
): Promise<void> {
  await tx.query(sql`select notify_stage_gone(${id}, ${name})`)
}

export type NewPursuitEvent = Omit<PursuitEvent, 'id'> & { readonly projectId: string }

/** Appends to the history and returns the board's new version. Call while holding the board lock. */
export async function appendPursuitEvents(
  tx: Db,
  organisationId: number,
  version: number,
  events: readonly NewPursuitEvent[],
): Promise<number> {
  if (events.length === 0) return version
  const rows = events.map(({ projectId, ...event }, i) => ({ ...event, project: projectId, id: version + 1 + i }))
  await tx.execute(sql`
    insert into pursuit_events (organisation_id, id, project_id, user_id, at, action, was, became)
    select ${organisationId}::int, e.id, e.project, e.by, e.at, e.action, e."from", e."to"
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as e (id bigint, project text, by int, at timestamptz, action text, "from" text, "to" text)`)
  const next = version + events.length
  await tx.execute(
    sql`update pursuit_boards set version = ${next}::bigint where organisation_id = ${organisationId}::int`,
  )
  return next
}

/**
 * Increments the version without a history entry, so that open tabs and the in-memory cache reload. Call while holding
 * the board lock.
 */
export async function bumpPursuitBoardVersion(tx: Db, organisationId: number): Promise<void> {
  await tx.execute(sql`update pursuit_boards set version = version + 1 where organisation_id = ${organisationId}::int`)
}

const MAX_HISTORY_EVENTS = 100

export async function loadPursuitHistory(db: Db, organisationId: number, projectId: string): Promise<PursuitEvent[]> {
  const rows = await db.query<PursuitEvent>(sql`
    select id, at, user_id as by, action, was as "from", became as "to" from pursuit_events
    where organisation_id = ${organisationId}::int and project_id = ${projectId} order by id desc limit ${MAX_HISTORY_EVENTS}::int`)
  return rows.map((event) => ({ ...event, at: iso(event.at) }))
}

export async function hasPursuitEventsByOtherMembers(
  tx: Db,
  organisationId: number,
  projectId: string,
  { userId, since }: { readonly userId: number; readonly since: string },
): Promise<boolean> {
  const rows = await tx.query(sql`
    select from pursuit_events where organisation_id = ${organisationId}::int and project_id = ${projectId} and at >= ${timestamptz(since)}
      and user_id is distinct from ${userId}::int and action not like '%note' and action not like '%label' limit 1`)
  return rows.length > 0
}

export async function countPursuits(tx: Db, organisationId: number): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    sql`select count(*)::int as count from pursuits where organisation_id = ${organisationId}::int`,
  )
  return row!.count
}

const PROJECT_OUTCOME_COLUMNS_SQL: Sql = sql`p.winner_name, p.winner_satang, p.winner_announced_on`
export type StoredProjectOutcome = {
  readonly winner_name: string | null
  readonly winner_satang: number | null
  readonly winner_announced_on: string | null
}

function presentProjectOutcome(stored: StoredProjectOutcome | undefined): PursuitDetail['outcome'] {
  if (!stored || (stored.winner_name === null && stored.winner_satang === null)) return null
  const { winner_name: winner, winner_satang: satang, winner_announced_on: day } = stored
  return { winner, price: satangToBaht(satang), announced_date: day }
}

export async function loadProjectOutcome(db: Db, projectId: string): Promise<PursuitDetail['outcome']> {
  const [stored] = await db.query<StoredProjectOutcome>(
    sql`select ${PROJECT_OUTCOME_COLUMNS_SQL} from projects p where p.project_id = ${projectId}`,
  )
  return presentProjectOutcome(stored)
}
