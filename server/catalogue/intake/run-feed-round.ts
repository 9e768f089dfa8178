import sql from 'sql-template-tag'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { findAgencyToProbe, recordAgencyProbe } from './agency-probes.ts'
import {
  type AnnouncementQuery,
  findLastAnsweredAnnouncementQuery,
  findNextAnnouncementQueries,
  recordDamagedFeedResponse,
  recordFeedResponse,
  recordFeedTimeout,
} from './announcement-queries.ts'
import { FEED_REQUEST_TIMEOUT_MS, type FeedClient, type FeedRequestOutcome } from './feed-client.ts'
import type { IntakeSource, IntakeSourceState } from './intake-sources.ts'
import {
  addNightlyRunCounts,
  endNightlyRun,
  pauseIntakeSourceUntil,
  recordIntakeSourceRequest,
} from './nightly-runs.ts'
import { findNightlyRunWindowAt, getNextTimeOfDay } from './opening-hours.ts'
import {
  type IntakeRoundDependencies,
  type IntakeRoundResult,
  type PacedIntakeRound,
  runPacedIntakeRound,
} from './paced-intake-round.ts'
import { planNightlyRun } from './plan-nightly-run.ts'

export type FeedRoundDependencies = IntakeRoundDependencies & {
  readonly sendQuery: FeedClient
  afterQuery?(): Promise<void>
}

const MINUTE_MS = 60_000
/**
 * This many consecutive timeouts mean that the feed is closed, whatever the hour. From then on one query every half
 * hour checks whether it responds.
 */
const MAX_CONSECUTIVE_TIMEOUTS = 5
const CLOSED_CHECK_MS = 30 * MINUTE_MS
const BATCH_SIZE = 50

/**
 * Runs the pending feed queries one by one and returns when to run again. After an interruption it resumes at the next
 * query.
 */
export async function runFeedRound(
  db: Db,
  name: IntakeSource,
  deps: FeedRoundDependencies,
): Promise<IntakeRoundResult> {
  return await runPacedIntakeRound(db, name, deps, {
    begin: (tx, night, at) => planNightlyRun(tx, name, night, at),
    whileClosed: (source) => probeOnce(db, source, deps),
    lastCallMs: FEED_REQUEST_TIMEOUT_MS,
    turn: (round) => runQueries(round, deps),
  })
}

/** While the feed is closed, sends at most one query, at the probe time. */
async function probeOnce(
  db: Db,
  source: IntakeSourceState,
  { clock, sendQuery, signal }: FeedRoundDependencies,
): Promise<void> {
  const now = clock.now()
  if (source.night !== null && source.night < getBangkokToday(now))
    await endNightlyRun(db, source.source, source.night, 'cut_short', now)
  if (source.probeAt === null) return
  const since = new Date(getNextTimeOfDay(source.probeAt, now).getTime() - 24 * 60 * MINUTE_MS)
  const isDue = findNightlyRunWindowAt(source, since) === undefined && now.getTime() - since.getTime() < 30 * MINUTE_MS
  if (!isDue || (source.probedAt !== null && new Date(source.probedAt) >= since)) return
  const query = await findLastAnsweredAnnouncementQuery(db)
  if (!query) return
  const { kind } = await sendQuery({ ...query, hash: null }, signal)
  const at = now.toISOString()
  await db.execute(sql`
    update intake_sources set probed_at = ${at}::timestamptz, last_request_at = ${at}::timestamptz, probe_answered = ${kind === 'answer'}::boolean
    where source = ${source.source}`)
}

async function runQueries(round: PacedIntakeRound, deps: FeedRoundDependencies): Promise<IntakeRoundResult> {
  if (round.source.timeoutsInRow >= MAX_CONSECUTIVE_TIMEOUTS) {
    const roundEnd = await checkClosedFeed(round, deps)
    if (roundEnd) return roundEnd
  }
  let hasProbed = false
  for (;;) {
    const queries = await findNextAnnouncementQueries(round.db, BATCH_SIZE)
    if (queries.length === 0) return await round.end('complete')
    for (const query of queries) {
      await round.waitForTurn()
      const startedAt = round.now()
      const reply = await deps.sendQuery(query, deps.signal)
      const end = await settleQuery(round, query, reply, startedAt)
      await deps.afterQuery?.()
      // Probe after an answer: a silent probe shows something about its agency only while the feed responds.
      if (reply.kind === 'answer' && !hasProbed) {
        hasProbed = true
        const probeEnd = await probeAgencies(round, deps)
        if (probeEnd) return probeEnd
      }
      if (end === 'again') break
      if (end) return end
    }
  }
}

async function probeAgencies(
  round: PacedIntakeRound,
  deps: FeedRoundDependencies,
): Promise<IntakeRoundResult | undefined> {
  const { night } = round.night
  for (;;) {
    const agency = await findAgencyToProbe(round.db, night)
    if (agency === undefined) return undefined
    await round.waitForTurn()
    const startedAt = round.now()
    const query = { agency, type: 'D0', day: '', unit: '', lastQueriedOn: null, hash: null, dayCount: null }
    const reply = await deps.sendQuery(query, deps.signal)
    const end = await round.write(async (tx) => {
      const isRefused = reply.kind === 'refused' || reply.kind === 'rejected'
      await countUnanswered(tx, round, startedAt, {
        timeouts: reply.kind === 'timeout' ? 1 : 0,
        refusals: isRefused ? 1 : 0,
      })
      if (reply.kind === 'refused') return await round.startCooldownIn(tx, 'refused')
      if (reply.kind === 'rejected') return await round.haltIn(tx, reply.reason)
      const isListed = reply.kind === 'answer' && reply.response.announcements.length > 0
      const outcome = isListed ? 'listed' : reply.kind === 'answer' ? 'empty' : 'silent'
      await recordAgencyProbe(tx, { agency, night, outcome })
      return undefined
    })
    if (end) return end
  }
}

async function settleQuery(
  round: PacedIntakeRound,
  query: AnnouncementQuery,
  reply: FeedRequestOutcome,
  startedAt: Date,
): Promise<IntakeRoundResult | 'again' | undefined> {
  const context = {
    source: round.name,
    night: round.night.night,
    at: startedAt,
    today: getBangkokToday(round.now()),
  }
  return await round.write(async (tx) => {
    switch (reply.kind) {
      case 'answer': {
        const { isFull } = await recordFeedResponse(tx, query, reply.response, context)
        return isFull ? 'again' : undefined
      }
      case 'timeout': {
        const inRow = await recordFeedTimeout(tx, query, context)
        return inRow >= MAX_CONSECUTIVE_TIMEOUTS ? await waitWhileClosed(tx, round) : 'again'
      }
      case 'damaged':
        await recordDamagedFeedResponse(tx, query, context)
        return undefined
      case 'refused':
        await countUnanswered(tx, round, startedAt, { refusals: 1 })
        return await round.startCooldownIn(tx, 'refused')
      case 'rejected':
        await countUnanswered(tx, round, startedAt, { refusals: 1 })
        return await round.haltIn(tx, reply.reason)
    }
  })
}

/**
 * Repeats a query that was answered before, to test whether the feed is still closed. Returns undefined when it
 * responds again.
 */
async function checkClosedFeed(
  round: PacedIntakeRound,
  { sendQuery, signal }: FeedRoundDependencies,
): Promise<IntakeRoundResult | undefined> {
  const query = await findLastAnsweredAnnouncementQuery(round.db)
  if (!query) return undefined
  await round.waitForTurn('closed')
  const startedAt = round.now()
  const { kind } = await sendQuery(query, signal)
  return await round.write(async (tx) => {
    const isOpen = kind === 'answer'
    await countUnanswered(tx, round, startedAt, { timeouts: isOpen ? 0 : 1 })
    if (isOpen) await tx.execute(sql`update intake_sources set timeouts_in_row = 0 where source = ${round.name}`)
    return isOpen ? undefined : await waitWhileClosed(tx, round)
  })
}

async function waitWhileClosed(tx: Db, round: PacedIntakeRound): Promise<IntakeRoundResult> {
  const until = new Date(round.now().getTime() + CLOSED_CHECK_MS)
  if (until >= round.night.endsAt) return await round.endIn(tx, 'closed')
  await pauseIntakeSourceUntil(tx, round.name, until)
  return { until, isNightOver: false }
}

async function countUnanswered(
  tx: Db,
  round: PacedIntakeRound,
  startedAt: Date,
  counts: { readonly timeouts?: number; readonly refusals?: number },
): Promise<void> {
  await addNightlyRunCounts(tx, round.name, round.night.night, { requests: 1, ...counts })
  await recordIntakeSourceRequest(tx, round.name, startedAt)
}
