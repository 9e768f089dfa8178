import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type IntakeSourceMetrics = {
  readonly source: string
  readonly isHalted: boolean
  readonly fullNightSeconds: number
  readonly requests: number
  readonly failed: number
  readonly newItems: number
  readonly waiting: number
  readonly missing: number
}

/**
 * Returns figures of enabled sources only, so a disabled source raises no alarm. `waiting` and `missing` count queries
 * and announcements for the feed, files for other sources.
 */
export async function readIntakeSourceMetrics(db: Db): Promise<IntakeSourceMetrics[]> {
  return db.query<IntakeSourceMetrics>(sql`
    select s.source, s.halted_at is not null as "isHalted",
      extract(epoch from coalesce(
        (select max(ended_at) from intake_nights n where n.source = s.source and n.outcome = 'complete' and s.source <> 'folder'),
        -- a folder has a row only for days on which something lay there
        case when s.source = 'folder' then s.last_request_at end,
        (select min(begun_at) from intake_nights n where n.source = s.source), now()
      ))::float8 as "fullNightSeconds",
      coalesce(n.requests, 0) as requests, coalesce(n.timeouts + n.refusals, 0) as failed, coalesce(n.new_items, 0) as "newItems",
      case when s.source = 'egp-rss' then (select count(*) from intake_queries where is_planned)
        when s.source = 'egp-documents' then (select count(*) from intake_links where state = 'waiting')
        else (select count(*) from intake_files f where f.source = s.source and f.state in ('waiting', 'fetched')) end::int as waiting,
      case when s.source = 'egp-rss' then (select coalesce(sum(expected - found), 0) from intake_gaps where found < expected)
        when s.source = 'egp-documents' then (select count(*) from intake_links where state = 'failed')
        else (select count(*) from intake_files f where f.source = s.source and f.state = 'failed') end::int as missing
    from intake_sources s left join lateral (
      select * from intake_nights n where n.source = s.source order by night desc limit 1
    ) n on true
    where s.is_on order by s.source`)
}
