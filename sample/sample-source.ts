import { QUIET_DAYS } from '#server/catalogue/feed/derivation.ts'
import type { FeedItem, FeedRecord, FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { changesOn, type ProjectLife, seenOn } from './project-life.ts'
import { firstCreationDay, livesCreated, sampleWorld } from './sample-projects.ts'
import { dayOf } from './working-days.ts'

export type SampleOptions = {
  /** Another seed is another country; the same seed and day give the same records to the byte. */
  readonly seed: number
  /** The day as of which the projects are seen, ISO, Bangkok. */
  readonly today: string
  /** How many days back projects were created. Default: from the start of the fiscal year two years before that of `today`. */
  readonly days?: number
}

export type SampleDayOptions = { readonly seed: number; readonly day: string; readonly days?: number | undefined }

/**
 * The made-up projects of three fiscal years, each as it stood at the end of `today`; nothing of it is real.
 * Throws `RangeError` when `today` is no ISO date.
 */
export function sampleSource({ seed, today, days }: SampleOptions): FeedSource {
  const day = dayOf(today)
  return source(seed, firstDay(day, days), day, () => true)
}

const firstDay = (day: number, days: number | undefined) => (days === undefined ? firstCreationDay(day) : day - days)

/**
 * Only what became known on `day`: new announcements, changed dates and sums, winners, contracts and deliveries. Loading it
 * after the day before leaves the same database as loading `day` whole, save that older fiscal years stay.
 */
export function sampleDaySource({ seed, day, days }: SampleDayOptions): FeedSource {
  const at = dayOf(day)
  return source(seed, firstDay(at, days), at, (life) => changesOn(life, at))
}

function source(
  seed: number,
  from: number,
  day: number,
  wanted: (life: Parameters<typeof seenOn>[0]) => boolean,
): FeedSource {
  return {
    name: 'sample',
    async *records(resumeAfterLine: number): AsyncIterable<FeedItem> {
      let line = 0
      for (const life of livesCreated(sampleWorld(seed), from, day)) {
        if (!wanted(life)) continue
        const record = seenOn(life, day)
        if (record === undefined) continue
        line += 1
        if (line > resumeAfterLine) yield { line, record }
      }
    },
  }
}

/** Days of the sample in one of `sampleParts`: some 250 projects, 0.2 s of the database's time. */
const DAYS_A_PART = 7

/** The same records as `sampleSource`, in parts of a week, the newest first. */
export function* sampleParts({ seed, today, days }: SampleOptions): Generator<readonly FeedRecord[]> {
  const day = dayOf(today)
  const first = firstDay(day, days)
  const world = sampleWorld(seed)
  for (let to = day; to >= first; to -= DAYS_A_PART) {
    const from = Math.max(first, to - DAYS_A_PART + 1)
    yield [...livesCreated(world, from, to)].flatMap((life) => seenOn(life, day) ?? [])
  }
}

/** A project that was created on the day `created`. */
export type CreatedLife = { readonly created: number; readonly life: ProjectLife }

/**
 * The part of the sample, as it stood on `before`, that a report needs first: projects that still take bids, and projects with news after `before` and up to `today`. Time alone is
 * news too: bids close, a contract has been quiet long enough. `total`: all projects. `moving`: those with news, for `movingSource`.
 */
export function sampleHead({
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
  readonly moving: readonly CreatedLife[]
} {
  const [at, until] = [dayOf(before), dayOf(today)]
  const world = sampleWorld(seed)
  const records: FeedRecord[] = []
  const moving: CreatedLife[] = []
  let total = 0
  for (let created = firstDay(at, days); created <= at; created += 1)
    for (const life of livesCreated(world, created, created)) {
      const isMoving = movesBetween(life, at, until)
      if (isMoving) moving.push({ created, life })
      const record = seenOn(life, at)
      if (record === undefined) continue
      total += 1
      if (isMoving || isOpen(record, before)) records.push(record)
    }
  return { records, total, moving }
}

/**
 * What became known on each day behind `before` up to `today`: the records of `sampleDaySource`, day by day. Of the projects created until `before`
 * it needs those of `moving` only; to live all of them again takes a second for each day.
 */
export function movingSource(
  moving: readonly CreatedLife[],
  { seed, before, today, days }: { seed: number; before: string; today: string; days?: number | undefined },
): FeedSource {
  const [at, until] = [dayOf(before), dayOf(today)]
  return {
    name: 'sample',
    async *records(resumeAfterLine: number): AsyncIterable<FeedItem> {
      const world = sampleWorld(seed)
      let line = 0
      for (let day = at + 1; day <= until; day += 1) {
        const older = moving.filter(({ created }) => created >= firstDay(day, days)).map(({ life }) => life)
        for (const life of [...older, ...livesCreated(world, at + 1, day)]) {
          const record = changesOn(life, day) ? seenOn(life, day) : undefined
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

/** Whether a step comes in the days behind `before`, or one turns `QUIET_DAYS` old in them. */
function movesBetween({ steps }: ProjectLife, before: number, today: number): boolean {
  return steps.some(
    ({ day }) => (day > before && day <= today) || (day >= before - QUIET_DAYS && day < today - QUIET_DAYS),
  )
}
