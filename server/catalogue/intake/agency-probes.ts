import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { addFeedAgencies, REGULAR_CODE_PATTERN } from './replace-agencies.ts'

/** Agencies probed per code length and week. One may be closed or merged; three at once rarely are. */
const PROBES_PER_CLASS = 3
const PROBE_DAYS = 7

export type AgencyProbeOutcome = 'listed' | 'empty' | 'silent'

/** Returns the next agency to probe, of a code length that is not queried and is due; undefined when none is. */
export async function findAgencyToProbe(db: Db, night: string): Promise<string | undefined> {
  const [row] = await db.query<{ code: string }>(sql`
    with recent as (
      select length(agency) as digits, count(*) as probes from coverage_probes where probed_on > ${night}::date - ${PROBE_DAYS}::int group by 1
    ), candidate as (
      select c.code, length(c.code) as digits, row_number() over (partition by length(c.code) order by md5(c.code || ${night})) as place
      from agency_codes c
      where c.code !~ ${REGULAR_CODE_PATTERN} and not exists (select from intake_agencies a where a.code = c.code)
        and not exists (select from coverage_probes p where p.agency = c.code and p.probed_on > ${night}::date - ${PROBE_DAYS}::int)
    )
    select k.code from candidate k left join recent r on r.digits = k.digits
    where k.place <= ${PROBES_PER_CLASS}::int - coalesce(r.probes, 0) order by k.digits, k.place limit 1`)
  return row?.code
}

/**
 * Stores the outcome of a probe. When the feed listed something, all agencies with codes of this length are queried
 * from then on.
 */
export async function recordAgencyProbe(
  tx: Db,
  { agency, night, outcome }: { readonly agency: string; readonly night: string; readonly outcome: AgencyProbeOutcome },
): Promise<void> {
  await tx.execute(sql`
    insert into coverage_probes (agency, probed_on, outcome) values (${agency}, ${night}::date, ${outcome})
    on conflict (agency, probed_on) do update set outcome = excluded.outcome`)
  if (outcome !== 'listed') return
  const agencies = await tx.query<{ code: string; name: string }>(sql`
    select code, name from agency_codes where length(code) = length(${agency}) order by code`)
  await addFeedAgencies(tx, agencies)
}
