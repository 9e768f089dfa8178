import sql from 'sql-template-tag'
import { type DataFreshness, LATE_DATA_THRESHOLD_HOURS } from '#contract/catalogue/freshness.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { runWithoutTenant } from '#server/platform/engine/tenant.ts'
import { readIntakeSourceMetrics } from './intake-figures.ts'

const CACHE_MS = 60_000

/**
 * Returns a function that reads the data freshness shown to users: last response, missing items, and whether the last
 * complete round of any source is overdue. The function returns undefined when no source is enabled. Each process
 * queries at most once per minute; errors never block the report.
 */
export function createDataFreshnessReader(db: Db, now: () => Date): () => Promise<DataFreshness | undefined> {
  let cached: { readonly until: number; readonly freshness: Promise<DataFreshness | undefined> } | undefined
  return () => {
    const at = now()
    if (cached === undefined || cached.until <= at.getTime()) {
      const freshness = runWithoutTenant(() => readFreshness(db, at)).catch(() => undefined)
      cached = { until: at.getTime() + CACHE_MS, freshness }
    }
    return cached.freshness
  }
}

async function readFreshness(db: Db, now: Date): Promise<DataFreshness | undefined> {
  // Missing documents do not affect the rows of the report, so the document source is excluded.
  const figures = (await readIntakeSourceMetrics(db)).filter(({ source }) => source !== 'egp-documents')
  if (figures.length === 0) return undefined
  const [row] = await db.query<{ checked_at: string | null; full_at: string | null }>(sql`
    select max(s.last_answer_at) as checked_at, case when bool_and(n.full_at is not null) then min(n.full_at) end as full_at
    from intake_sources s left join lateral (
      select max(n.ended_at) as full_at from intake_nights n where n.source = s.source and n.outcome = 'complete'
    ) n on true
    where s.is_on and s.source not in ('folder', 'egp-documents')`)
  const oldest = Math.min(...figures.map(({ fullNightSeconds }) => fullNightSeconds))
  return {
    ...row!,
    missing: figures.reduce((sum, { missing }) => sum + missing, 0),
    is_late: now.getTime() / 1000 - oldest > LATE_DATA_THRESHOLD_HOURS * 3600,
  }
}

/**
 * Returns the freshness of one agency, identified by the names of a project's department and unit and by its province,
 * which several local governments of one name differ in. Undefined when the feed is disabled or does not cover the
 * agency.
 */
export async function readAgencyDataFreshness(
  db: Db,
  { names, province }: { readonly names: readonly string[]; readonly province: number | null },
  overall: DataFreshness | undefined,
): Promise<DataFreshness | undefined> {
  const keys = names.map(toNormalisedSearchText).filter((key) => key !== '')
  if (!overall || keys.length === 0) return undefined
  const [agency] = await runWithoutTenant(() =>
    db.query<{ checked_at: string | null; missing: number }>(sql`
      select a.answered_at as checked_at,
        (select coalesce(sum(g.expected - g.found), 0) from intake_gaps g where g.agency = a.code and g.found < g.expected)::int as missing
      from (
        select n.code, n.name_key, n.answered_at, c.province, count(*) over (partition by n.name_key) as same_name
        from intake_agencies n left join agency_codes c on c.code = n.code where n.name_key = any (${keys}::text[])
      ) a
      where (a.province is null or a.province = ${province}::smallint or (${province}::smallint is null and a.same_name = 1))
        and exists (select from intake_sources s where s.source = 'egp-rss' and s.is_on)
      order by array_position(${keys}::text[], a.name_key), a.province nulls last, a.code limit 1`),
  ).catch(() => [])
  return agency && { ...overall, ...agency }
}
