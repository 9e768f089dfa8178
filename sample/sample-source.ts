import { QUIET_DAYS_BEFORE_ARCHIVE } from '#server/catalogue/feed/derive-project-status.ts'
import type { FeedRecord, FeedRow, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { isoDateToDayNumber } from './day-numbers.ts'
import { getFeedRecordAsOf, hasProjectHistoryStepOnDay, type SimulatedProjectHistory } from './project-history.ts'
import {
  createSampleCatalogue,
  generateSimulatedProjectHistories,
  getFirstProjectCreationDay,
} from './sample-projects.ts'

type SampleSourceOptions = {
  /** The same seed and day give the same records to the byte; another seed gives entirely different ones. */
  readonly seed: number
  /** ISO date in Bangkok; the records show the projects as of this day. */
  readonly today: string
  /** Age in days of the oldest project. Default: from the start of the fiscal year two years before that of `today`. */
  readonly days?: number
}

type SampleDaySourceOptions = { readonly seed: number; readonly day: string; readonly days?: number | undefined }

/**
 * Returns the invented projects of three fiscal years as of the end of `today`. Throws `RangeError` when `today` is not
 * an ISO date.
 */
export function createSampleSource({ seed, today, days }: SampleSourceOptions): FeedSource {
  const day = isoDateToDayNumber(today)
  return createSource(seed, firstDay(day, days), day, () => true)
}

const firstDay = (day: number, days: number | undefined) =>
  days === undefined ? getFirstProjectCreationDay(day) : day - days

/**
 * Returns only projects that changed on `day`: new announcements, changed dates and amounts, winners, contracts and
 * deliveries. Loading it after the previous day gives the same database as loading `day` completely, except that older
 * fiscal years remain.
 */
export function createSampleDaySource({ seed, day, days }: SampleDaySourceOptions): FeedSource {
  const at = isoDateToDayNumber(day)
  return createSource(seed, firstDay(at, days), at, (history) => hasProjectHistoryStepOnDay(history, at))
}

function createSource(
  seed: number,
  from: number,
  day: number,
  isIncluded: (history: SimulatedProjectHistory) => boolean,
): FeedSource {
  return {
    name: 'sample',
    async *records(resumeAfterLine: number): AsyncIterable<FeedRow> {
      let line = 0
      for (const history of generateSimulatedProjectHistories(createSampleCatalogue(seed), from, day)) {
        if (!isIncluded(history)) continue
        const record = getFeedRecordAsOf(history, day)
        if (record === undefined) continue
        line += 1
        if (line > resumeAfterLine) yield { line, record }
      }
    },
  }
}

/** Days per part of `generateSampleRecordBatches`: some 250 projects, 0.2 s of database time. */
const DAYS_PER_PART = 7

export function* generateSampleRecordBatches({
  seed,
  today,
  days,
}: SampleSourceOptions): Generator<readonly FeedRecord[]> {
  const day = isoDateToDayNumber(today)
  const oldestDay = firstDay(day, days)
  const world = createSampleCatalogue(seed)
  for (let to = day; to >= oldestDay; to -= DAYS_PER_PART) {
    const from = Math.max(oldestDay, to - DAYS_PER_PART + 1)
    yield [...generateSimulatedProjectHistories(world, from, to)].flatMap(
      (history) => getFeedRecordAsOf(history, day) ?? [],
    )
  }
}

export type CreatedProjectHistory = { readonly created: number; readonly history: SimulatedProjectHistory }

/**
 * Returns the part of the demo data as of `before` that a report needs first: projects open for bids, and projects that
 * change after `before` and up to `today`. Time alone counts as a change too: bidding closes, or a contract has been
 * quiet long enough. `total`: number of all projects. `changing`: the projects that change, as input for
 * `createDailyChangesSource`.
 */
export function buildInitialSampleRecords({
  seed,
  before,
  today,
  days,
}: {
  seed: number
  before: string
  today: string
  days?: number | undefined
}): {
  readonly records: readonly FeedRecord[]
  readonly total: number
  readonly changing: readonly CreatedProjectHistory[]
} {
  const [at, until] = [isoDateToDayNumber(before), isoDateToDayNumber(today)]
  const world = createSampleCatalogue(seed)
  const records: FeedRecord[] = []
  const changing: CreatedProjectHistory[] = []
  let total = 0
  for (let created = firstDay(at, days); created <= at; created += 1)
    for (const history of generateSimulatedProjectHistories(world, created, created)) {
      const isChanging = changesBetween(history, at, until)
      if (isChanging) changing.push({ created, history })
      const record = getFeedRecordAsOf(history, at)
      if (record === undefined) continue
      total += 1
      if (isChanging || isOpen(record, before)) records.push(record)
    }
  return { records, total, changing }
}

/**
 * Returns the changes of each day after `before` up to `today`: the records of `createSampleDaySource`, day by day. Of
 * the projects created until `before` it needs only `changing`; simulating all of them again takes a second per day.
 */
export function createDailyChangesSource(
  changing: readonly CreatedProjectHistory[],
  { seed, before, today, days }: { seed: number; before: string; today: string; days?: number | undefined },
): FeedSource {
  const [at, until] = [isoDateToDayNumber(before), isoDateToDayNumber(today)]
  return {
    name: 'sample',
    async *records(resumeAfterLine: number): AsyncIterable<FeedRow> {
      const world = createSampleCatalogue(seed)
      let line = 0
      for (let day = at + 1; day <= until; day += 1) {
        const older = changing.filter(({ created }) => created >= firstDay(day, days)).map(({ history }) => history)
        for (const history of [...older, ...generateSimulatedProjectHistories(world, at + 1, day)]) {
          const record = hasProjectHistoryStepOnDay(history, day) ? getFeedRecordAsOf(history, day) : undefined
          if (record === undefined) continue
          line += 1
          if (line > resumeAfterLine) yield { line, record }
        }
      }
    },
  }
}

const OPEN_STEPS: ReadonlySet<string | undefined> = new Set([
  'draft_published',
  'draft_revised',
  'reference_price_published',
  'invited',
  'invitation_amended',
])

function isOpen({ announcements, submissionEndsOn }: FeedRecord, day: string): boolean {
  return OPEN_STEPS.has(announcements?.at(-1)?.movement) && (submissionEndsOn == null || submissionEndsOn >= day)
}

function changesBetween({ steps }: SimulatedProjectHistory, before: number, today: number): boolean {
  return steps.some(
    ({ day }) =>
      (day > before && day <= today) ||
      (day >= before - QUIET_DAYS_BEFORE_ARCHIVE && day < today - QUIET_DAYS_BEFORE_ARCHIVE),
  )
}
