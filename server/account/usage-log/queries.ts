import sql, { empty, type Sql } from 'sql-template-tag'
import type { UsageLogDetail, UsageLogSearch } from '#contract/account/usage-log.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { escapeLike } from '#server/platform/text/search-sql.ts'

export type StoredUsageEvent = {
  readonly id: number
  readonly user: string | null
  readonly type: string
  readonly description: string
  readonly datetime: string
  readonly additional_info: UsageLogDetail[]
}

const NAME = sql`coalesce(nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''), u.email)`

function conditions(organisationId: number, { user, type, date__range: days, q }: UsageLogSearch): Sql {
  const text = q === undefined ? '' : toNormalisedSearchText(q)
  return sql`e.organisation_id = ${organisationId}::int
    ${user ? sql`and e.user_id = any (${user.map(Number)}::int[])` : empty}
    ${type ? sql`and e.type = any (${[...type]}::text[])` : empty}
    ${days?.from ? sql`and e.at >= ${days.from}::date::timestamp at time zone 'Asia/Bangkok'` : empty}
    ${days?.to ? sql`and e.at < (${days.to}::date + 1)::timestamp at time zone 'Asia/Bangkok'` : empty}
    ${text === '' ? empty : sql`and e.text_search like ${`%${escapeLike(text)}%`}::text`}`
}

const COLUMNS = sql`e.id, ${NAME} as user, e.type, e.description, e.info as additional_info,
  to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as datetime`

export async function loadUsageEventPage(
  db: Db,
  organisationId: number,
  search: UsageLogSearch,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<StoredUsageEvent[]> {
  return db.query<StoredUsageEvent>(sql`
    select ${COLUMNS} from usage_events e left join users u on u.id = e.user_id
    where ${conditions(organisationId, search)}
    order by e.at desc, e.id desc limit ${limit}::int offset ${offset}::bigint`)
}

export async function countUsageEvents(db: Db, organisationId: number, search: UsageLogSearch): Promise<number> {
  const [row] = await db.query<{ n: number }>(
    sql`select count(*) as n from usage_events e where ${conditions(organisationId, search)}`,
  )
  return row!.n
}

export async function loadUsageEventsBefore(
  db: Db,
  organisationId: number,
  search: UsageLogSearch,
  page: { readonly before: { readonly datetime: string; readonly id: number } | undefined; readonly limit: number },
): Promise<StoredUsageEvent[]> {
  const { before, limit } = page
  return db.query<StoredUsageEvent>(sql`
    select ${COLUMNS} from usage_events e left join users u on u.id = e.user_id
    where ${conditions(organisationId, search)}
      ${before ? sql`and (date_trunc('milliseconds', e.at), e.id) < (${before.datetime}::timestamptz, ${before.id}::bigint)` : empty}
    order by date_trunc('milliseconds', e.at) desc, e.id desc limit ${limit}::int`)
}

export async function loadUsageLogFilterOptions(
  db: Db,
  organisationId: number,
): Promise<{ users: { id: number; name: string }[]; firstAt: string | null }> {
  const users = await db.query<{ id: number; name: string }>(sql`
    select u.id, ${NAME} as name from users u where u.organisation_id = ${organisationId}::int order by ${NAME} collate thai, u.id`)
  const [first] = await db.query<{ at: string | null }>(sql`
    select to_char(min(e.at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
    from usage_events e where e.organisation_id = ${organisationId}::int`)
  return { users, firstAt: first?.at ?? null }
}
