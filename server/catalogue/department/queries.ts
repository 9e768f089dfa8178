import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'

export type CountedPurchasingUnit = {
  readonly name: string
  readonly sub_name: string
  readonly province: number | null
  readonly open: number
  readonly recent: number
}

const COUNT_TIMEOUT_MS = 60_000

export async function countPurchasingUnits(db: Db, since: string): Promise<CountedPurchasingUnit[]> {
  return db.query<CountedPurchasingUnit>(
    sql`select d.name, d.sub_name, d.province, coalesce(c.open, 0)::int as open, coalesce(c.recent, 0)::int as recent
      from departments d
      left join (
        select department_id, count(*) filter (where not is_archived) as open,
          count(*) filter (where movement_on >= ${since}::date and not is_movement_undated) as recent
        from projects group by department_id
      ) c on c.department_id = d.id`,
    { timeoutMs: COUNT_TIMEOUT_MS },
  )
}

export type AgencyDirectoryEntry = {
  readonly name_key: string
  readonly name: string
  readonly ministry: string
  readonly province: number | null
}

export async function loadAgencyDirectory(db: Db): Promise<AgencyDirectoryEntry[]> {
  return db.query<AgencyDirectoryEntry>(sql`select name_key, name, ministry, province from agency_directory`)
}

/**
 * Returns a cache key for the catalogue: it changes with each published load (hourly during a nightly run) and each
 * directory import.
 */
export async function readDepartmentCatalogueVersion(db: Db): Promise<string> {
  const [row] = await db.query<{ version: string }>(sql`
    select concat_ws(' ',
      (select case when night is null then id::text else night::text || date_trunc('hour', published_at)::text end
        from loads where state = 'published' order by published_at desc nulls last, id desc limit 1),
      (select count(*) from loads where state = 'published' and night is null),
      (select imported_at from agency_directory limit 1)) as version`)
  return row!.version
}

export type AgencyWithFeedCode = { readonly code: string; readonly name: string; readonly province: number | null }

const INSERT_BATCH_SIZE = 5_000

export async function replaceAgencyDirectory(
  tx: Db,
  entries: readonly AgencyDirectoryEntry[],
  codes: readonly AgencyWithFeedCode[],
  now: Date,
): Promise<void> {
  await tx.execute(sql`delete from agency_directory`)
  for (const slice of splitIntoSlices(entries, INSERT_BATCH_SIZE)) {
    await tx.execute(sql`
      insert into agency_directory (name_key, name, ministry, province, imported_at)
      select t.*, ${now.toISOString()}::timestamptz
      from json_to_recordset(${JSON.stringify(slice)}::text::json)
        as t (name_key text, name text, ministry text, province smallint)`)
  }
  await tx.execute(sql`delete from agency_codes`)
  for (const slice of splitIntoSlices(codes, INSERT_BATCH_SIZE)) {
    await tx.execute(sql`
      insert into agency_codes (code, name, province)
      select t.* from json_to_recordset(${JSON.stringify(slice)}::text::json) as t (code text, name text, province smallint)`)
  }
}

export async function countAgenciesWithFeedCodes(db: Db): Promise<number> {
  const [row] = await db.query<{ codes: number }>(sql`select count(*)::int as codes from agency_codes`)
  return row!.codes
}

export async function listAgencyProvinces(db: Db): Promise<{ readonly name: string; readonly province: number }[]> {
  return await db.query(sql`select name, province from agency_directory where province is not null`)
}
