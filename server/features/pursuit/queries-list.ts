import sql, { empty } from 'sql-template-tag'
import { provinceCoded } from '#contract/project/province.ts'
import { MOST_CARDS, type PursuitCard } from '#contract/pursuit/pursuit.ts'
import { shortProjectName } from '#contract/pursuit/short-name.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/engine/db.ts'
import { OUTCOME, presentOutcome, type StoredOutcome } from './queries.ts'

/** What is not said filters nothing. `owners`: numbers of members, null for pursuits of nobody. `dueWithin`: days from today on. */
export type PursuitFilter = {
  readonly stages?: readonly string[] | undefined
  readonly owners?: readonly (number | null)[] | undefined
  readonly dueWithin?: number | undefined
}

type StoredCard = Pick<
  PursuitCard,
  | 'project_id'
  | 'name'
  | 'agency'
  | 'stage'
  | 'stage_since'
  | 'decision'
  | 'reason'
  | 'decided_at'
  | 'lost_reason'
  | 'note_count'
  | 'items_done'
  | 'items'
  | 'created_at'
  | 'changed_at'
> &
  StoredOutcome & {
    readonly owner_id: number | null
    readonly province: number | null
    readonly budget_satang: number | null
    readonly estimate_satang: number | null
    readonly price_satang: number | null
    readonly submission_ends_on: string | null
    readonly submission_time: string | null
    readonly announced_on: string | null
    readonly total: number
  }

type ListCaller = { readonly organisationId: number; readonly seesPrice: boolean; readonly today: string }

/** Cards of the organisation's pursuits, those that were changed last first, and how many there are with these filters. */
export async function listCards(
  db: Db,
  { stages, owners, dueWithin }: PursuitFilter,
  { organisationId, seesPrice, today }: ListCaller,
): Promise<{ readonly results: PursuitCard[]; readonly total: number }> {
  const ids = owners?.filter((owner) => owner !== null)
  const rows = await db.query<StoredCard>(sql`
    select c.project_id, p.name, d.sub_name as agency, coalesce(p.project_province, d.province) as province, p.budget_satang, p.estimate_satang,
      p.submission_ends_on, p.submission_time, least(p.draft_published_on, p.bidding_invited_on) as announced_on, ${OUTCOME},
      c.stage, c.stage_since, c.owner_id, c.decision, c.reason, c.decided_at, c.lost_reason, c.price_satang, c.created_at, c.changed_at,
      jsonb_array_length(c.checklist) as items,
      jsonb_array_length(jsonb_path_query_array(c.checklist, '$[*] ? (@.done_at != null)')) as items_done,
      coalesce(n.notes, 0) as note_count, count(*) over ()::int as total
    from pursuits c
    join projects p on p.project_id = c.project_id
    join departments d on d.id = p.department_id
    left join (
      select project_id, count(*)::int as notes from pursuit_notes where organisation_id = ${organisationId}::int and deleted_at is null group by project_id
    ) n on n.project_id = c.project_id
    where c.organisation_id = ${organisationId}::int
      ${stages ? sql`and c.stage = any (${[...stages]}::text[])` : empty}
      ${ids ? sql`and (c.owner_id = any (${ids}::int[]) or c.owner_id is null and ${owners!.includes(null)}::boolean)` : empty}
      ${dueWithin === undefined ? empty : sql`and p.submission_ends_on between ${today}::date and ${addDays(today, dueWithin)}::date`}
    order by c.changed_at desc, c.project_id limit ${MOST_CARDS}::int`)
  return { results: rows.map((row) => presentCard(row, seesPrice)), total: rows[0]?.total ?? 0 }
}

const baht = (satang: number | null) => (satang === null ? null : satang / 100)
const iso = (text: string) => new Date(text).toISOString()

/** The wire form: an allow-list, so that a new column never leaks. */
function presentCard(row: StoredCard, seesPrice: boolean): PursuitCard {
  return {
    project_id: row.project_id,
    name: shortProjectName(row.name),
    agency: row.agency,
    province: row.province === null ? null : (provinceCoded(row.province)?.th ?? null),
    budget: baht(row.budget_satang),
    estimate: baht(row.estimate_satang),
    deadline: row.submission_ends_on,
    deadline_time: row.submission_time,
    announced_date: row.announced_on,
    stage: row.stage,
    stage_since: iso(row.stage_since),
    owner: row.owner_id,
    decision: row.decision,
    reason: row.reason,
    decided_at: row.decided_at && iso(row.decided_at),
    lost_reason: row.lost_reason,
    price: seesPrice ? baht(row.price_satang) : null,
    note_count: row.note_count,
    items_done: row.items_done,
    items: row.items,
    created_at: iso(row.created_at),
    changed_at: iso(row.changed_at),
    outcome: presentOutcome(row),
  }
}
