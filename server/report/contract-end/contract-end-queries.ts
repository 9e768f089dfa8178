import sql, { empty } from 'sql-template-tag'
import { DEMO_ORGANISATION_CODE } from '#contract/reserved-organisations.ts'
import {
  contractAmountSql,
  contractCountSql,
  contractEndsWithinCondition,
  IS_ACTIVE_CONTRACT_SQL,
} from '#server/catalogue/contract/contract-ends-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'

/** The query has no timeout, because a load must notify of every contract, however long that takes. */
const NO_TIMEOUT = { timeoutMs: 0 }

export const CONTRACT_END_NOTICE_DAYS = [30, 90, 180] as const
const [LAST, MIDDLE, FIRST] = CONTRACT_END_NOTICE_DAYS

export type ContractEndNoticeCounts = {
  readonly user_id: number
  readonly organisation_id: number
  readonly counts: readonly number[]
  readonly in_bell: boolean
  readonly in_mail: boolean
}

/**
 * Records for each user which contracts of the report came within 180, 90 or 30 days of their end since the last
 * notification, and returns counts per user. A contract skips a step if it was signed fewer days before its end, so
 * short purchases trigger nothing. `writtenBy` limits the check to projects that this load wrote.
 */
export async function recordContractEndNotices(
  tx: Db,
  { today, at, writtenBy }: { readonly today: string; readonly at: Date; readonly writtenBy?: number },
): Promise<ContractEndNoticeCounts[]> {
  const step = sql`case when c.ends_on <= ${today}::date + ${LAST}::int then ${LAST}::int when c.ends_on <= ${today}::date + ${MIDDLE}::int then ${MIDDLE}::int else ${FIRST}::int end`
  return tx.query<ContractEndNoticeCounts>(
    sql`
    with due as materialized (
      select c.project_id, c.contract_no, c.ends_on, s.step
      from contracts c join projects p on p.project_id = c.project_id cross join lateral (select ${step} as step) s
      where ${IS_ACTIVE_CONTRACT_SQL} and ${contractEndsWithinCondition(FIRST, today)} and p.status <> 'project_cancelled'
        and coalesce(c.ends_on - c.signed_on > s.step, true)
        ${writtenBy === undefined ? empty : sql`and p.written_load = ${writtenBy}::bigint`}
    ), fresh as (
      insert into contract_end_news (user_id, organisation_id, project_id, contract_no, ends_on, step, found_at)
      select u.id, u.organisation_id, due.project_id, due.contract_no, due.ends_on, due.step, ${at.toISOString()}::timestamptz
      from due
      join project_matches m on m.project_id = due.project_id
      join organisations o on o.id = m.organisation_id
      join users u on u.organisation_id = o.id
      where not u.is_disabled and not u.is_demo_visitor and not o.is_disabled and not o.is_access_budget_year_only and o.code <> ${DEMO_ORGANISATION_CODE}
        and not exists (select from hidden_projects h where h.user_id = u.id and h.project_id = due.project_id)
      order by due.ends_on, due.project_id, due.contract_no, u.id
      on conflict do nothing returning user_id, organisation_id, step
    )
    select f.user_id, f.organisation_id,
      array[count(*) filter (where f.step = ${LAST}::int), count(*) filter (where f.step = ${MIDDLE}::int), count(*) filter (where f.step = ${FIRST}::int)]::int[] as counts,
      bool_and(coalesce('contract' = any (s.bell), true)) as in_bell, bool_and(coalesce('contract' = any (s.mail), true)) as in_mail
    from fresh f left join follow_settings s on s.user_id = f.user_id
    group by f.user_id, f.organisation_id order by f.user_id`,
    NO_TIMEOUT,
  )
}

export type ContractEndNotification = {
  readonly user_id: number
  readonly organisation_id: number
  readonly text: string
  readonly count: number
}

export async function insertContractEndNotifications(
  tx: Db,
  notifications: readonly ContractEndNotification[],
  { loadId, at }: { readonly loadId: number; readonly at: Date },
): Promise<void> {
  if (notifications.length === 0) return
  await tx.execute(
    sql`
    with found as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(notifications)}::jsonb) as r (user_id int, organisation_id int, text text, count int)
    ), locked as (
      update users u set notifications_click_read = true where u.id in (select user_id from found) returning u.id
    )
    insert into notifications (user_id, organisation_id, type, file_name, version, change_count, created_at)
    select f.user_id, f.organisation_id, 'Contract_ends', f.text, ${String(loadId)}, f.count, ${at.toISOString()}::timestamptz
    from found f where (select count(*) from locked) > 0
    on conflict do nothing`,
    NO_TIMEOUT,
  )
}

export type UnmailedContractEnd = {
  readonly id: number
  readonly project_id: string
  readonly name: string
  readonly agency: string
  readonly winner_name: string | null
  readonly amount: number | null
  readonly project_amount: number | null
  readonly project_contracts: number
  readonly ends_on: string
}

export async function findUnmailedContractEnds(
  db: Db,
  userId: number,
  limit: number,
): Promise<{ readonly total: number; readonly upTo: number; readonly rows: readonly UnmailedContractEnd[] }> {
  const [result] = await db.query<{ total: number; up_to: number | null; rows: UnmailedContractEnd[] }>(sql`
    with news as (
      select distinct on (n.project_id, n.contract_no) n.* from contract_end_news n
      where n.user_id = ${userId}::int and n.mailed_at is null
        and not exists (select from hidden_projects h where h.user_id = n.user_id and h.project_id = n.project_id)
      order by n.project_id, n.contract_no, n.id desc
    )
    select (select max(n.id) from contract_end_news n where n.user_id = ${userId}::int and n.mailed_at is null) as up_to, count(*) as total,
      coalesce((select json_agg(r) from (
        select n.id, n.project_id, p.name, coalesce(nullif(d.sub_name, ''), d.name) as agency, coalesce(c.winner_name, p.winner_name) as winner_name,
          ${contractAmountSql(sql`p.winner_satang`)} as amount, p.winner_satang as project_amount, ${contractCountSql(sql`n.project_id`)} as project_contracts,
          n.ends_on
        from news n join contracts c on c.project_id = n.project_id and c.contract_no = n.contract_no and c.ends_on = n.ends_on
        join projects p on p.project_id = n.project_id join departments d on d.id = p.department_id
        order by n.ends_on, n.project_id, n.contract_no limit ${limit}::int
      ) r), '[]') as rows
    from news`)
  return { total: result!.total, upTo: result!.up_to ?? 0, rows: result!.rows }
}

/**
 * Marks all ending contracts of the user up to `upTo` as emailed. Also called, without sending an email, for users who
 * want none.
 */
export async function markContractEndsMailed(tx: Db, userId: number, upTo: number, at: Date): Promise<void> {
  await tx.execute(sql`
    update contract_end_news set mailed_at = ${at.toISOString()}::timestamptz
    where user_id = ${userId}::int and mailed_at is null and id <= ${upTo}::bigint`)
}
