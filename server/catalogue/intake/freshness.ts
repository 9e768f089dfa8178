import sql from 'sql-template-tag'
import { type Freshness, LATE_HOURS } from '#contract/catalogue/freshness.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutTenant } from '#server/platform/engine/tenant.ts'
import { readIntakeFigures } from './figures.ts'

const CACHE_MS = 60_000

/**
 * Returns the data freshness shown to users: last response, missing items, and whether the last complete round of any
 * source is overdue. Undefined when no source is enabled. Queried once per minute and process; errors never block the
 * report.
 */
export function createFreshness(db: Db, now: () => Date): () => Promise<Freshness | undefined> {
  let cached: { readonly until: number; readonly freshness: Promise<Freshness | undefined> } | undefined
  return () => {
    const at = now()
    if (cached === undefined || cached.until <= at.getTime()) {
      const freshness = withoutTenant(() => readFreshness(db, at)).catch(() => undefined)
      cached = { until: at.getTime() + CACHE_MS, freshness }
    }
    return cached.freshness
  }
}

async function readFreshness(db: Db, now: Date): Promise<Freshness | undefined> {
  // Missing documents do not affect the rows of the report.
  const figures = (await readIntakeFigures(db)).filter(({ source }) => source !== 'egp-documents')
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
    is_late: now.getTime() / 1000 - oldest > LATE_HOURS * 3600,
  }
}

/**
 * Returns the freshness of one agency, by the names of a project's department and unit; undefined when the feed is off
 * or does not cover it.
 */
export async function agencyFreshness(
  db: Db,
  names: readonly string[],
  overall: Freshness | undefined,
): Promise<Freshness | undefined> {
  const keys = names.map(searchForm).filter((key) => key !== '')
  if (!overall || keys.length === 0) return undefined
  const [agency] = await withoutTenant(() =>
    db.query<{ checked_at: string | null; missing: number }>(sql`
      select a.answered_at as checked_at,
        (select coalesce(sum(g.expected - g.found), 0) from intake_gaps g where g.agency = a.code and g.found < g.expected)::int as missing
      from intake_agencies a
      where a.name_key = any (${keys}::text[]) and exists (select from intake_sources s where s.source = 'egp-rss' and s.is_on)
      order by array_position(${keys}::text[], a.name_key) limit 1`),
  ).catch(() => [])
  return agency && { ...overall, ...agency }
}
