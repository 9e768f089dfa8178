import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { DEFERRABLE_QUERY_PRIORITY } from './plan-nightly-run.ts'

export type NightlyRunOutcome = 'complete' | 'cut_short' | 'refused' | 'closed' | 'halted'

const MINUTE_MS = 60_000
/** Cooldowns after a 429 or a refusal; the fourth ends the night. An hour of successful responses resets the count. */
const COOLDOWNS_MS = [5 * MINUTE_MS, 15 * MINUTE_MS, 45 * MINUTE_MS]
const COOLDOWN_RESET_MS = 60 * MINUTE_MS

export async function beginNightlyRun(tx: Db, source: string, night: string, at: Date): Promise<void> {
  await tx.execute(sql`
    insert into intake_nights (source, night, begun_at) values (${source}, ${night}::date, ${at.toISOString()}::timestamptz)
    on conflict (source, night) do update set ended_at = null, outcome = null`)
  await tx.execute(sql`
    update intake_sources set night = ${night}::date, stops = 0, timeouts_in_row = 0, resume_at = null where source = ${source}`)
}

/**
 * Ends a nightly run. A feed run that was cut short counts as complete when every remaining query can wait without
 * loss.
 */
export async function endNightlyRun(
  tx: Db,
  source: string,
  night: string,
  outcome: NightlyRunOutcome,
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    update intake_nights set ended_at = ${at.toISOString()}::timestamptz,
      outcome = case when ${outcome} = 'cut_short' and source = 'egp-rss'
        and not exists (select from intake_queries where is_planned and priority < ${DEFERRABLE_QUERY_PRIORITY}::int) then 'complete' else ${outcome} end
    where source = ${source} and night = ${night}::date and outcome is null`)
}

/**
 * Increments for the counters of a nightly run. `items` are rows of files, new and changed items are projects,
 * unreadable items are quarantined rows.
 */
export type NightlyRunCounts = {
  readonly planned?: number
  readonly requests?: number
  readonly answers?: number
  readonly items?: number
  readonly newItems?: number
  readonly changedItems?: number
  readonly unreadableItems?: number
  readonly timeouts?: number
  readonly refusals?: number
}

export async function addNightlyRunCounts(
  tx: Db,
  source: string,
  night: string,
  counts: NightlyRunCounts,
): Promise<void> {
  const { planned = 0, requests = 0, answers = 0, items = 0, timeouts = 0, refusals = 0 } = counts
  const { newItems = 0, changedItems = 0, unreadableItems = 0 } = counts
  await tx.execute(sql`
    update intake_nights set planned = planned + ${planned}::int, requests = requests + ${requests}::int, answers = answers + ${answers}::int,
      items = items + ${items}::int, new_items = new_items + ${newItems}::int, changed_items = changed_items + ${changedItems}::int,
      unreadable_items = unreadable_items + ${unreadableItems}::int, timeouts = timeouts + ${timeouts}::int,
      refusals = refusals + ${refusals}::int
    where source = ${source} and night = ${night}::date`)
}

export async function recordIntakeSourceRequest(tx: Db, source: string, at: Date): Promise<void> {
  await tx.execute(
    sql`update intake_sources set last_request_at = ${at.toISOString()}::timestamptz where source = ${source}`,
  )
}

/**
 * Starts a cooldown after a refusal, longer each time. Returns its end, or undefined when no more requests may follow
 * before `endsAt`.
 */
export async function startIntakeSourceCooldown(
  tx: Db,
  source: string,
  { now, endsAt }: { readonly now: Date; readonly endsAt: Date },
): Promise<Date | undefined> {
  const [row] = await tx.query<{ stops: number }>(sql`
    update intake_sources
    set stops = case when resume_at < ${new Date(now.getTime() - COOLDOWN_RESET_MS).toISOString()}::timestamptz then 1 else stops + 1 end
    where source = ${source} returning stops`)
  const cooldownMs = COOLDOWNS_MS[row!.stops - 1]
  const until = cooldownMs === undefined ? undefined : new Date(now.getTime() + cooldownMs)
  if (!until || until >= endsAt) return undefined
  await pauseIntakeSourceUntil(tx, source, until)
  return until
}

export async function pauseIntakeSourceUntil(tx: Db, source: string, until: Date): Promise<void> {
  await tx.execute(
    sql`update intake_sources set resume_at = ${until.toISOString()}::timestamptz where source = ${source}`,
  )
}

/**
 * Halts a source to which the remote side denied access: it sends no more requests until an operator enables it again.
 */
export async function haltIntakeSource(
  tx: Db,
  source: string,
  { night, reason, at }: { readonly night: string; readonly reason: string; readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    update intake_sources set halted_at = ${at.toISOString()}::timestamptz, halted_reason = ${reason}, next_run_at = null where source = ${source}`)
  await endNightlyRun(tx, source, night, 'halted', at)
}
