import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { countRows, type FileReport, listFiles, newestFailure } from './files.ts'
import { countVersions, countWaiting, listLinks } from './links.ts'
import {
  type Coverage,
  INTAKE_SOURCES,
  type IntakeSource,
  listNights,
  type NightFigures,
  readCoverage,
  readSource,
  SOURCE_LABELS,
  SOURCE_NEEDS,
  type SourceSettings,
} from './sources.ts'

/** How far a round is. `secondsLeft` null: not known yet. */
export type SourceProgress = {
  readonly unit: 'questions' | 'bytes' | 'rows' | 'pages'
  readonly done: number
  readonly total: number
  readonly secondsLeft: number | null
}

/** A source as its operator sees it: settings, state and figures. Times are UTC ISO, hours of the day `HH:mm` in Bangkok. */
export type SourceOverview = SourceSettings & {
  readonly source: IntakeSource
  readonly label: string
  readonly isOn: boolean
  /** Whether it asks anybody, and so must say who asks. */
  readonly needsContact: boolean
  readonly needsKey: boolean
  readonly hasKey: boolean
  readonly lastRunAt: string | null
  readonly lastAnswerAt: string | null
  readonly nextRunAt: string | null
  /** Until when it keeps still because the other side asked for it; null: it does not. */
  readonly restsUntil: string | null
  /** The other side said no: nothing is asked until an operator switches it on again. */
  readonly halted: { readonly at: string; readonly reason: string } | null
  readonly probe: { readonly at: string; readonly answered: boolean } | null
  /** What keeps its job from running, or why its newest file could not be taken in; null: nothing. */
  readonly failure: string | null
  readonly progress: SourceProgress | null
  /** Of agencies; null where a source has none. */
  readonly coverage: Coverage | null
  /** What has come since it was first switched on: announcements, or rows of files. */
  readonly cameInAll: number
  /** Those that came last, with what became of them; none of a source that answers questions. */
  readonly files: readonly FileReport[]
  /** At most 14 rounds, the newest first: one for each day or night on which the source ran. */
  readonly rounds: readonly NightFigures[]
}

const SHOWN_ROUNDS = 14
const SHOWN_FILES = 50

/** Every source, also those that were never touched. The one function behind `intake status`, the operator's screen and its figures. */
export async function readSources(db: Db, now: Date): Promise<SourceOverview[]> {
  return await Promise.all(INTAKE_SOURCES.map((source) => readOverview(db, source, now)))
}

async function readOverview(db: Db, source: IntakeSource, now: Date): Promise<SourceOverview> {
  const state = await readSource(db, source)
  const isFeed = source === 'egp-rss'
  const isDocuments = source === 'egp-documents'
  const rounds = await listNights(db, source, SHOWN_ROUNDS)
  const coverage = isFeed ? await readCoverage(db, source, now) : null
  const job = await readJob(db, source)
  const { address, parts, contact, isOn, opensAt, closesAt, probeAt, paceMs, haltedAt, haltedReason, probedAt } = state
  const isResting = state.stops > 0 && state.resumeAt !== null && new Date(state.resumeAt) > now
  return {
    ...{ source, label: SOURCE_LABELS[source], isOn, address, parts, contact, opensAt, closesAt, probeAt, paceMs },
    needsContact: SOURCE_NEEDS[source].contact,
    needsKey: SOURCE_NEEDS[source].key,
    hasKey: state.hasKey,
    lastRunAt: state.lastRequestAt,
    lastAnswerAt: state.lastAnswerAt,
    nextRunAt: state.nextRunAt,
    restsUntil: isResting ? state.resumeAt : null,
    halted: haltedAt === null ? null : { at: haltedAt, reason: haltedReason ?? '' },
    probe: probedAt === null ? null : { at: probedAt, answered: state.probeAnswered === true },
    failure: job.failure ?? (await newestFailure(db, source)),
    progress: isDocuments
      ? progressOf(rounds[0], await countWaiting(db), paceMs)
      : coverage === null
        ? job.progress
        : progressOf(rounds[0], coverage.waiting, paceMs),
    coverage,
    cameInAll: coverage?.announcements ?? (await (isDocuments ? countVersions(db) : countRows(db, source))),
    files: isFeed ? [] : await (isDocuments ? listLinks(db, SHOWN_FILES) : listFiles(db, source, SHOWN_FILES)),
    rounds,
  }
}

/** The job of a source has its name as key. Progress is that of what runs now. */
async function readJob(
  db: Db,
  source: IntakeSource,
): Promise<{ readonly failure: string | null; readonly progress: SourceProgress | null }> {
  const [job] = await db.query<{ failure: string | null; progress: SourceProgress | null }>(sql`
    select last_error as failure, case when state = 'running' then progress end as progress
    from jobs where kind = 'intake' and key = ${source} order by id desc limit 1`)
  return job ?? { failure: null, progress: null }
}

function progressOf(round: NightFigures | undefined, waiting: number, paceMs: number): SourceProgress | null {
  if (!round || round.outcome !== null) return null
  const { requests } = round
  return { unit: 'questions', done: requests, total: requests + waiting, secondsLeft: (waiting * paceMs) / 1000 }
}
