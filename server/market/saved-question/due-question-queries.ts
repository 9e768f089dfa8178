import sql, { empty } from 'sql-template-tag'
import type { Label } from '#contract/account/label.ts'
import type { SavedQuestion } from '#contract/market/saved-question.ts'
import type { TeamFilterNames } from '#contract/report/report-list-filter-choices.ts'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { stageLabelAndMemberNamesSql } from '#server/report/match-sql.ts'
import type { SavedQuestionState } from './detect-saved-question-changes.ts'
import type { SavedQuestionOwner } from './queries.ts'

/**
 * SQL condition: user `u` of organisation `o` receives question notifications. Applies the rules of other notifications
 * and requires access to the view ใครชนะ.
 */
const IS_NOTIFIED = sql`(not u.is_disabled and not u.is_demo_visitor and not o.is_disabled and o.is_company_compare
  and not o.is_access_budget_year_only and o.code <> ${DEMO_ORGANISATION_CODE})`

export async function findSavedQuestionOwnersToCheck(tx: Db): Promise<SavedQuestionOwner[]> {
  return tx.query<SavedQuestionOwner>(sql`
    select u.id as "userId", u.organisation_id as "organisationId"
    from users u join organisations o on o.id = u.organisation_id left join saved_question_settings s on s.user_id = u.id
    where ${IS_NOTIFIED} and (coalesce(s.bell, true) or coalesce(s.mail, true))
      and exists (select from saved_questions q where q.user_id = u.id and q.on_change and q.problem is null)
    order by u.organisation_id, u.id`)
}

export type SavedQuestionRecipient = SavedQuestionOwner & {
  readonly email: string
  readonly isNotifiable: boolean
  readonly bell: boolean
  readonly mail: boolean
  /** Day in Bangkok of the last email. */
  readonly mailedOn: string | null
  readonly labels: Label[]
  readonly team: TeamFilterNames
}

export async function findSavedQuestionRecipient(db: Db, userId: number): Promise<SavedQuestionRecipient | undefined> {
  const [row] = await db.query<SavedQuestionRecipient>(sql`
    select u.id as "userId", u.organisation_id as "organisationId", u.email, ${IS_NOTIFIED} as "isNotifiable",
      coalesce(s.bell, true) as bell, coalesce(s.mail, true) as mail, s.mailed_on as "mailedOn", ${stageLabelAndMemberNamesSql(sql`o.id`)} as team,
      (select coalesce(json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color) order by l.created_at, l.id), '[]')
        from labels l where l.user_id = u.id) as labels
    from users u join organisations o on o.id = u.organisation_id left join saved_question_settings s on s.user_id = u.id
    where u.id = ${userId}::int`)
  return row
}

export type TrackedSavedQuestion = Pick<SavedQuestion, 'id' | 'name' | 'address' | 'monthly' | 'on_change'> & {
  readonly state: SavedQuestionState
  /** First day of the month for which the last monthly email was sent. */
  readonly mailedMonth: string
}

export async function findActiveSavedQuestions(db: Db, userId: number): Promise<TrackedSavedQuestion[]> {
  return db.query<TrackedSavedQuestion>(sql`
    select q.id, q.name, q.address, q.monthly, q.on_change, to_char(q.mailed_month, 'YYYY-MM-DD') as "mailedMonth",
      jsonb_build_object('checkedOn', q.looked_on, 'winners', to_jsonb(q.winners), 'leaders', to_jsonb(q.leaders),
        'newWinners', to_jsonb(q.new_winners), 'leadersBefore', to_jsonb(q.leaders_before)) as state
    from saved_questions q where q.user_id = ${userId}::int and q.problem is null order by q.created_at, q.id`)
}

export async function storeSavedQuestionState(
  tx: Db,
  userId: number,
  id: string,
  state: SavedQuestionState,
  mailed?: { readonly month: string | undefined },
): Promise<void> {
  const { checkedOn, winners, leaders } = state
  const [newWinners, leadersBefore] = mailed ? [[], null] : [state.newWinners, state.leadersBefore]
  const list = (ids: readonly number[] | null) => (ids === null ? null : [...ids])
  await tx.execute(sql`
    update saved_questions set looked_on = ${checkedOn}::date, winners = ${list(winners)}::int[], leaders = ${list(leaders)}::int[],
      new_winners = ${list(newWinners)}::int[], leaders_before = ${list(leadersBefore)}::int[]
      ${mailed?.month === undefined ? empty : sql`, mailed_month = ${mailed.month}::date`}
    where user_id = ${userId}::int and id = ${id}`)
}

export async function storeSavedQuestionProblem(tx: Db, userId: number, id: string, problem: string): Promise<void> {
  await tx.execute(sql`
    update saved_questions set problem = ${problem}, new_winners = '{}', leaders_before = null where user_id = ${userId}::int and id = ${id}`)
}

/** Discards changes that the user does not want by email, including this month's monthly result. */
export async function discardSavedQuestionChanges(tx: Db, userId: number, month: string): Promise<void> {
  await tx.execute(sql`
    update saved_questions set new_winners = '{}', leaders_before = null, mailed_month = greatest(mailed_month, ${month}::date)
    where user_id = ${userId}::int`)
}

export async function markSavedQuestionsMailed(
  tx: Db,
  { userId, organisationId }: SavedQuestionOwner,
  day: string,
): Promise<void> {
  await tx.execute(sql`
    insert into saved_question_settings (user_id, organisation_id, mailed_on) values (${userId}::int, ${organisationId}::int, ${day}::date)
    on conflict (user_id) do update set mailed_on = excluded.mailed_on`)
}

export async function hasMonthlySavedQuestion(db: Db, userId: number): Promise<boolean> {
  const rows = await db.query(
    sql`select from saved_questions q where q.user_id = ${userId}::int and q.monthly and q.problem is null limit 1`,
  )
  return rows.length > 0
}

export async function findNewestLoadId(db: Db): Promise<number | null> {
  const [row] = await db.query<{ id: number | null }>(
    sql`select max(l.id) as id from loads l where l.state = 'published'`,
  )
  return row!.id
}
