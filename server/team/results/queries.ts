import sql, { empty } from 'sql-template-tag'
import { TEAM_FEEDBACK_WEEKS, type TeamFeedbackWeek, type TeamResultsPeriod } from '#contract/team/team-results.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { isPriceInDoubtSql } from '#server/platform/text/doubt-sql.ts'

/** A pursuit with its result. Amounts are in satang and days are ISO dates in Thailand. */
export type StoredTeamResult = {
  readonly project_id: string
  readonly name: string
  readonly dept_name: string
  readonly dept_sub_name: string
  readonly dept_province: number | null
  readonly owner_id: number | null
  readonly owner_name: string | null
  readonly stage: string
  readonly reason: string | null
  readonly lost_reason: string | null
  readonly price_satang: number | null
  readonly estimate_satang: number | null
  readonly winner_name: string | null
  readonly winner_satang: number | null
  readonly is_price_in_doubt: boolean
  readonly announced_on: string | null
  readonly created_on: string
  readonly decided_on: string | null
  readonly words: string[] | null
}

export async function loadTeamResults(
  db: Db,
  organisationId: number,
  { from, to }: TeamResultsPeriod,
): Promise<StoredTeamResult[]> {
  return db.query<StoredTeamResult>(sql`
    select c.project_id, p.name, d.name as dept_name, d.sub_name as dept_sub_name, d.province as dept_province, c.owner_id,
      coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as owner_name,
      c.stage, c.reason, c.lost_reason, c.price_satang, p.estimate_satang, p.winner_name, p.winner_satang,
      ${isPriceInDoubtSql(sql`p`, sql`p.winner_satang`)} as is_price_in_doubt,
      least(p.draft_published_on, p.bidding_invited_on) as announced_on,
      (c.created_at at time zone 'Asia/Bangkok')::date as created_on, (c.decided_at at time zone 'Asia/Bangkok')::date as decided_on,
      w.matched_words as words
    from (
      select c.*, (select m.words_id from project_matches m where m.organisation_id = ${organisationId}::int and m.project_id = c.project_id) as words_id
      from pursuits c
      where c.organisation_id = ${organisationId}::int
        ${from === null ? empty : sql`and c.created_at >= ${from}::date::timestamp at time zone 'Asia/Bangkok'`}
        ${to === null ? empty : sql`and c.created_at < (${to}::date + 1)::timestamp at time zone 'Asia/Bangkok'`}
      offset 0 -- looks the words up once a pursuit, instead of joining them first
    ) c
    join projects p on p.project_id = c.project_id
    join departments d on d.id = p.department_id
    left join users u on u.id = c.owner_id
    left join match_words w on w.organisation_id = ${organisationId}::int and w.id = c.words_id
    order by c.created_at desc, c.project_id`)
}

/** Counts the answers of the last weeks. A project counts once per answer and week, however many members gave it. */
export async function countFeedbackByWeek(db: Db, organisationId: number, today: string): Promise<TeamFeedbackWeek[]> {
  return db.query<TeamFeedbackWeek>(sql`
    with answer as (
      select f.project_id, f.verdict, date_trunc('week', f.given_at at time zone 'Asia/Bangkok')::date as week,
        bool_or(f.verdict = 'seen') over (partition by f.project_id) as was_seen,
        exists (
          select from pursuits c where c.organisation_id = ${organisationId}::int and c.project_id = f.project_id and c.decision is distinct from 'no_bid'
        ) as is_pursued
      from project_feedback f where f.organisation_id = ${organisationId}::int
    )
    select w.week::date as "from",
      (count(distinct a.project_id) filter (where a.verdict = 'relevant' and a.is_pursued and not a.was_seen))::int as acted,
      (count(distinct a.project_id) filter (where a.verdict = 'relevant'))::int as relevant,
      (count(distinct a.project_id) filter (where a.verdict = 'irrelevant'))::int as irrelevant,
      (count(distinct a.project_id) filter (where a.verdict = 'seen'))::int as seen
    from (
      select date_trunc('week', ${today}::date)::date - 7 * n as week from generate_series(0, ${TEAM_FEEDBACK_WEEKS - 1}::int) n
    ) w left join answer a on a.week = w.week
    group by w.week order by w.week desc`)
}
