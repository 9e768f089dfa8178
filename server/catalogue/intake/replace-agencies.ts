import sql from 'sql-template-tag'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { ANNOUNCEMENT_RATE_HALF_LIFE_DAYS } from './plan-nightly-run.ts'

/**
 * Codes of agencies that are always queried: departments have four digits, local governments seven. Schools, hospitals
 * and other units publish under one of these. Other codes are queried once a probe lists something for their length.
 */
const REGULAR_CODE = /^(\d{4}|\d{7})$/
export const REGULAR_CODE_PATTERN = REGULAR_CODE.source
const INSERT_BATCH_SIZE = 5_000

export type FeedAgency = { readonly code: string; readonly name: string }

const MOVEMENT_DATE = sql`case when not p.is_movement_undated then p.movement_on end`

/**
 * Replaces the list of agencies to query. Removes agencies that are no longer listed; the others keep their statistics.
 * Until a new agency has been queried, its announcement rate is estimated from stored projects.
 */
export async function replaceFeedAgencies(tx: Db, agencies: readonly FeedAgency[]): Promise<number> {
  const listedLengths = new Set(
    (
      await tx.query<{ digits: number }>(
        sql`select distinct length(agency) as digits from coverage_probes where outcome = 'listed'`,
      )
    ).map(({ digits }) => digits),
  )
  const queriedAgencies = new Map(
    agencies
      .filter(({ code, name }) => (REGULAR_CODE.test(code) || listedLengths.has(code.length)) && name !== '')
      .map((agency) => [agency.code, agency]),
  )
  await tx.execute(sql`delete from intake_agencies where code <> all (${[...queriedAgencies.keys()]}::text[])`)
  return await addFeedAgencies(tx, [...queriedAgencies.values()])
}

export async function addFeedAgencies(tx: Db, agencies: readonly FeedAgency[]): Promise<number> {
  const rows = agencies.map(({ code, name }) => ({ code, name, name_key: toNormalisedSearchText(name) }))
  const storedCodes = new Set(
    (await tx.query<{ code: string }>(sql`select code from intake_agencies`)).map(({ code }) => code),
  )
  for (const slice of splitIntoSlices(rows, INSERT_BATCH_SIZE))
    await tx.execute(sql`
      insert into intake_agencies (code, name, name_key)
      select * from json_to_recordset(${JSON.stringify(slice)}::json) as t (code text, name text, name_key text)
      on conflict (code) do update set name = excluded.name, name_key = excluded.name_key`)
  const fresh = rows.filter(({ code }) => !storedCodes.has(code)).map(({ code }) => code)
  await tx.execute(
    sql`
    with year as (
      select d.name, count(*) as projects, max(${MOVEMENT_DATE}) as latest, max(max(${MOVEMENT_DATE})) over () as today
      from projects p join departments d on d.id = p.department_id group by d.name
    )
    update intake_agencies a set rate = y.projects / 365.0 * ${ANNOUNCEMENT_RATE_HALF_LIFE_DAYS / Math.LN2}::float8, rate_on = y.today, last_notice_on = y.latest
    from year y where y.name = a.name and a.code = any (${fresh}::text[])`,
    { timeoutMs: 0 },
  )
  return rows.length
}
