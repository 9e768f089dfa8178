import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { countImportedRows, type FileReport, listSourceFiles, readNewestFailure } from './files.ts'
import {
  type FeedCoverage,
  INTAKE_SOURCES,
  type IntakeSource,
  listNightlyRuns,
  type NightlyRunFigures,
  readFeedCoverage,
  readSource,
  SOURCE_LABELS,
  SOURCE_REQUIREMENTS,
  type SourceSettings,
} from './intake-sources.ts'
import { countVersions, countWaitingLinks, listLinks } from './links.ts'

export type SourceProgress = {
  readonly unit: 'questions' | 'bytes' | 'rows' | 'pages'
  readonly done: number
  readonly total: number
  readonly secondsLeft: number | null
}

/** A source as shown to operators: settings, state and figures. Times are UTC ISO, hours `HH:mm` in Bangkok. */
export type SourceOverview = SourceSettings & {
  readonly source: IntakeSource
  readonly label: string
  readonly isOn: boolean
  readonly needsContact: boolean
  readonly needsKey: boolean
  readonly hasKey: boolean
  readonly lastRunAt: string | null
  readonly lastAnswerAt: string | null
  readonly nextRunAt: string | null
  readonly restsUntil: string | null
  readonly halted: { readonly at: string; readonly reason: string } | null
  readonly probe: { readonly at: string; readonly answered: boolean } | null
  readonly failure: string | null
  readonly progress: SourceProgress | null
  readonly coverage: FeedCoverage | null
  /** Total received since the source was first enabled: announcements, or rows of files. */
  readonly cameInAll: number
  readonly files: readonly FileReport[]
  /** Up to 14 rounds, newest first: one per day or night on which the source ran. */
  readonly rounds: readonly NightlyRunFigures[]
}

const MAX_LISTED_ROUNDS = 14
const MAX_LISTED_FILES = 50

export async function readSourceOverviews(db: Db, now: Date): Promise<SourceOverview[]> {
  return await Promise.all(INTAKE_SOURCES.map((source) => readOverview(db, source, now)))
}

async function readOverview(db: Db, source: IntakeSource, now: Date): Promise<SourceOverview> {
  const state = await readSource(db, source)
  const isFeed = source === 'egp-rss'
  const isDocuments = source === 'egp-documents'
  const rounds = await listNightlyRuns(db, source, MAX_LISTED_ROUNDS)
  const coverage = isFeed ? await readFeedCoverage(db, source, now) : null
  const job = await readJob(db, source)
  const { address, parts, contact, isOn, opensAt, closesAt, probeAt, paceMs, haltedAt, haltedReason, probedAt } = state
  const isResting = state.stops > 0 && state.resumeAt !== null && new Date(state.resumeAt) > now
  return {
    ...{ source, label: SOURCE_LABELS[source], isOn, address, parts, contact, opensAt, closesAt, probeAt, paceMs },
    needsContact: SOURCE_REQUIREMENTS[source].contact,
    needsKey: SOURCE_REQUIREMENTS[source].key,
    hasKey: state.hasKey,
    lastRunAt: state.lastRequestAt,
    lastAnswerAt: state.lastAnswerAt,
    nextRunAt: state.nextRunAt,
    restsUntil: isResting ? state.resumeAt : null,
    halted: haltedAt === null ? null : { at: haltedAt, reason: haltedReason ?? '' },
    probe: probedAt === null ? null : { at: probedAt, answered: state.probeAnswered === true },
    failure: job.failure ?? (await readNewestFailure(db, source)),
    progress: isDocuments
      ? progressOf(rounds[0], await countWaitingLinks(db), paceMs)
      : coverage === null
        ? job.progress
        : progressOf(rounds[0], coverage.waiting, paceMs),
    coverage,
    cameInAll: coverage?.announcements ?? (await (isDocuments ? countVersions(db) : countImportedRows(db, source))),
    files: isFeed
      ? []
      : await (isDocuments ? listLinks(db, MAX_LISTED_FILES) : listSourceFiles(db, source, MAX_LISTED_FILES)),
    rounds,
  }
}

async function readJob(
  db: Db,
  source: IntakeSource,
): Promise<{ readonly failure: string | null; readonly progress: SourceProgress | null }> {
  const [job] = await db.query<{ failure: string | null; progress: SourceProgress | null }>(sql`
    select last_error as failure, case when state = 'running' then progress end as progress
    from jobs where kind = 'intake' and key = ${source} order by id desc limit 1`)
  return job ?? { failure: null, progress: null }
}

function progressOf(round: NightlyRunFigures | undefined, waiting: number, paceMs: number): SourceProgress | null {
  if (!round || round.outcome !== null) return null
  const { requests } = round
  return { unit: 'questions', done: requests, total: requests + waiting, secondsLeft: (waiting * paceMs) / 1000 }
}
