import sql from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { countDocumentVersions, countWaitingDocumentLinks, listDocumentLinks } from './document-links.ts'
import { countImportedRows, type IntakeFileReport, listIntakeFiles, readLatestIntakeFileFailure } from './files.ts'
import {
  type FeedCoverage,
  INTAKE_SOURCE_LABELS,
  INTAKE_SOURCE_REQUIREMENTS,
  INTAKE_SOURCES,
  type IntakeSource,
  type IntakeSourceSettings,
  listNightlyRuns,
  type NightlyRunStatistics,
  readFeedCoverage,
  readIntakeSourceState,
} from './intake-sources.ts'

export type IntakeSourceProgress = {
  readonly unit: 'questions' | 'bytes' | 'rows' | 'pages'
  readonly done: number
  readonly total: number
  readonly secondsLeft: number | null
}

/** A source as shown to operators: settings, state and figures. Times are UTC ISO, hours `HH:mm` in Bangkok. */
export type IntakeSourceOverview = IntakeSourceSettings & {
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
  readonly progress: IntakeSourceProgress | null
  readonly coverage: FeedCoverage | null
  readonly totalReceived: number
  readonly files: readonly IntakeFileReport[]
  /** Up to 14 rounds, newest first: one per day or night on which the source ran. */
  readonly rounds: readonly NightlyRunStatistics[]
}

const MAX_LISTED_ROUNDS = 14
const MAX_LISTED_FILES = 50

export async function readIntakeSourceOverviews(db: Db, now: Date): Promise<IntakeSourceOverview[]> {
  return await Promise.all(INTAKE_SOURCES.map((source) => readOverview(db, source, now)))
}

async function readOverview(db: Db, source: IntakeSource, now: Date): Promise<IntakeSourceOverview> {
  const state = await readIntakeSourceState(db, source)
  const isFeed = source === 'egp-rss'
  const isDocuments = source === 'egp-documents'
  const rounds = await listNightlyRuns(db, source, MAX_LISTED_ROUNDS)
  const coverage = isFeed ? await readFeedCoverage(db, source, now) : null
  const job = await readJob(db, source)
  const { address, parts, contact, isOn, opensAt, closesAt, probeAt, paceMs, haltedAt, haltedReason, probedAt } = state
  const isResting = state.stops > 0 && state.resumeAt !== null && new Date(state.resumeAt) > now
  return {
    ...{
      source,
      label: INTAKE_SOURCE_LABELS[source],
      isOn,
      address,
      parts,
      contact,
      opensAt,
      closesAt,
      probeAt,
      paceMs,
    },
    needsContact: INTAKE_SOURCE_REQUIREMENTS[source].contact,
    needsKey: INTAKE_SOURCE_REQUIREMENTS[source].key,
    hasKey: state.hasKey,
    lastRunAt: state.lastRequestAt,
    lastAnswerAt: state.lastAnswerAt,
    nextRunAt: state.nextRunAt,
    restsUntil: isResting ? state.resumeAt : null,
    halted: haltedAt === null ? null : { at: haltedAt, reason: haltedReason ?? '' },
    probe: probedAt === null ? null : { at: probedAt, answered: state.probeAnswered === true },
    failure: job.failure ?? (await readLatestIntakeFileFailure(db, source)),
    progress: isDocuments
      ? progressOf(rounds[0], await countWaitingDocumentLinks(db), paceMs)
      : coverage === null
        ? job.progress
        : progressOf(rounds[0], coverage.waiting, paceMs),
    coverage,
    totalReceived:
      coverage?.announcements ?? (await (isDocuments ? countDocumentVersions(db) : countImportedRows(db, source))),
    files: isFeed
      ? []
      : await (isDocuments ? listDocumentLinks(db, MAX_LISTED_FILES) : listIntakeFiles(db, source, MAX_LISTED_FILES)),
    rounds,
  }
}

async function readJob(
  db: Db,
  source: IntakeSource,
): Promise<{ readonly failure: string | null; readonly progress: IntakeSourceProgress | null }> {
  const [job] = await db.query<{ failure: string | null; progress: IntakeSourceProgress | null }>(sql`
    select last_error as failure, case when state = 'running' then progress end as progress
    from jobs where kind = 'intake' and key = ${source} order by id desc limit 1`)
  return job ?? { failure: null, progress: null }
}

function progressOf(
  round: NightlyRunStatistics | undefined,
  waiting: number,
  paceMs: number,
): IntakeSourceProgress | null {
  if (!round || round.outcome !== null) return null
  const { requests } = round
  return { unit: 'questions', done: requests, total: requests + waiting, secondsLeft: (waiting * paceMs) / 1000 }
}
