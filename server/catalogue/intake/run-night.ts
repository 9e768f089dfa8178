import sql from 'sql-template-tag'
import { bangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type Ask, type Reply, TIME_LIMIT_MS } from './ask-feed.ts'
import { countNight, endNight, recordRequest, restUntil } from './nights.ts'
import { type PacedRound, type RoundEnd, type RoundParts, runPaced } from './paced-round.ts'
import { planNight } from './plan-night.ts'
import {
  answeredQuestion,
  nextQuestions,
  type Question,
  settleAnswer,
  settleDamage,
  settleTimeout,
} from './questions.ts'
import type { IntakeSource, SourceState } from './sources.ts'
import { nextTimeOfDay, nightAt } from './window.ts'

export type NightParts = RoundParts & {
  readonly ask: Ask
  /** Runs after each query, to apply new announcements before the next request is due. */
  afterQuestion?(): Promise<void>
}

const MINUTE_MS = 60_000
/**
 * This many consecutive timeouts mean that the feed is closed at any hour. Then one query every half hour checks it.
 */
const CLOSED_AFTER = 5
const TRY_CLOSED_MS = 30 * MINUTE_MS
/** Rows fetched at a time; each query is recorded individually. */
const BATCH = 50

/**
 * Runs the pending feed queries one by one and returns when to run again. After an interruption it resumes at the next
 * query.
 */
export async function runNight(db: Db, name: IntakeSource, parts: NightParts): Promise<RoundEnd> {
  return await runPaced(db, name, parts, {
    begin: (tx, night, at) => planNight(tx, name, night, at),
    whileClosed: (source) => probeOnce(db, source, parts),
    lastCallMs: TIME_LIMIT_MS,
    turn: (round) => askAll(round, parts),
  })
}

/** While closed, sends at most one query, at the probe time. */
async function probeOnce(db: Db, source: SourceState, { clock, ask, signal }: NightParts): Promise<void> {
  const now = clock.now()
  if (source.night !== null && source.night < bangkokToday(now))
    await endNight(db, source.source, source.night, 'cut_short', now)
  if (source.probeAt === null) return
  const since = new Date(nextTimeOfDay(source.probeAt, now).getTime() - 24 * 60 * MINUTE_MS)
  const isDue = nightAt(source, since) === undefined && now.getTime() - since.getTime() < 30 * MINUTE_MS
  if (!isDue || (source.probedAt !== null && new Date(source.probedAt) >= since)) return
  const question = await answeredQuestion(db)
  if (!question) return
  const { kind } = await ask({ ...question, hash: null }, signal)
  const at = now.toISOString()
  await db.execute(sql`
    update intake_sources set probed_at = ${at}::timestamptz, last_request_at = ${at}::timestamptz, probe_answered = ${kind === 'answer'}::boolean
    where source = ${source.source}`)
}

async function askAll(round: PacedRound, parts: NightParts): Promise<RoundEnd> {
  if (round.source.timeoutsInRow >= CLOSED_AFTER) {
    const tried = await tryClosed(round, parts)
    if (tried) return tried
  }
  for (;;) {
    const questions = await nextQuestions(round.db, BATCH)
    if (questions.length === 0) return await round.end('complete')
    for (const question of questions) {
      await round.waitForTurn()
      const startedAt = round.now()
      const reply = await parts.ask(question, parts.signal)
      const end = await settle(round, question, reply, startedAt)
      await parts.afterQuestion?.()
      if (end === 'again') break
      if (end) return end
    }
  }
}

/** Records the outcome of a query. 'again': the queue order changed. */
async function settle(
  round: PacedRound,
  question: Question,
  reply: Reply,
  startedAt: Date,
): Promise<RoundEnd | 'again' | undefined> {
  const told = {
    source: round.name,
    night: round.night.night,
    at: startedAt,
    today: bangkokToday(round.now()),
  }
  return await round.write(async (tx) => {
    switch (reply.kind) {
      case 'answer': {
        const { isFull } = await settleAnswer(tx, question, reply.answer, told)
        return isFull ? 'again' : undefined
      }
      case 'timeout': {
        const inRow = await settleTimeout(tx, question, told)
        return inRow >= CLOSED_AFTER ? await closed(tx, round) : 'again'
      }
      case 'damaged':
        await settleDamage(tx, question, told)
        return undefined
      case 'refused':
        await countUnanswered(tx, round, startedAt, { refusals: 1 })
        return await round.restIn(tx, 'refused')
      case 'rejected':
        await countUnanswered(tx, round, startedAt, { refusals: 1 })
        return await round.haltIn(tx, reply.reason)
    }
  })
}

/** Repeats a previously answered query; undefined when the feed responds again. */
async function tryClosed(round: PacedRound, { ask, signal }: NightParts): Promise<RoundEnd | undefined> {
  const question = await answeredQuestion(round.db)
  if (!question) return undefined
  await round.waitForTurn('closed')
  const startedAt = round.now()
  const { kind } = await ask(question, signal)
  return await round.write(async (tx) => {
    const isOpen = kind === 'answer'
    await countUnanswered(tx, round, startedAt, { timeouts: isOpen ? 0 : 1 })
    if (isOpen) await tx.execute(sql`update intake_sources set timeouts_in_row = 0 where source = ${round.name}`)
    return isOpen ? undefined : await closed(tx, round)
  })
}

async function closed(tx: Db, round: PacedRound): Promise<RoundEnd> {
  const until = new Date(round.now().getTime() + TRY_CLOSED_MS)
  if (until >= round.night.ends) return await round.endIn(tx, 'closed')
  await restUntil(tx, round.name, until)
  return { until, isNightOver: false }
}

async function countUnanswered(
  tx: Db,
  round: PacedRound,
  startedAt: Date,
  more: { readonly timeouts?: number; readonly refusals?: number },
): Promise<void> {
  await countNight(tx, round.name, round.night.night, { requests: 1, ...more })
  await recordRequest(tx, round.name, startedAt)
}
