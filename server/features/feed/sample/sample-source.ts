import { QUIET_DAYS } from '../derivation.ts'
import type { FeedItem, FeedRecord, FeedSource } from '../feed-source.ts'
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

export type SampleDayOptions = { readonly seed: number; readonly day: string; readonly days?: number }

/**
 * The made-up projects of three fiscal years, each as it stood at the end of `today`; nothing of it is real.
 * Throws `RangeError` when `today` is no ISO date.
 */
export function sampleSource({ seed, today, days }: SampleOptions): FeedSource {
  const day = dayOf(today)
  const from = days === undefined ? firstCreationDay(day) : day - days
  return source(seed, from, day, () => true)
}

/**
 * Only what became known on `day`: new announcements, changed dates and sums, winners, contracts and deliveries. Loading it
 * after the day before leaves the same database as loading `day` whole, save that older fiscal years stay.
 */
export function sampleDaySource({ seed, day, days }: SampleDayOptions): FeedSource {
  const at = dayOf(day)
  const from = days === undefined ? firstCreationDay(at) : at - days
  return source(seed, from, at, (life) => changesOn(life, at))
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

/** Days of the sample in one of `sampleParts`: some 250 projects, less than a second of the database's time. */
const DAYS_A_PART = 7

/** The same records as `sampleSource`, in parts of a week, the newest first. */
export function* sampleParts({ seed, today, days }: SampleOptions): Generator<readonly FeedRecord[]> {
  const day = dayOf(today)
  const first = days === undefined ? firstCreationDay(day) : day - days
  const world = sampleWorld(seed)
  for (let to = day; to >= first; to -= DAYS_A_PART) {
    const from = Math.max(first, to - DAYS_A_PART + 1)
    yield [...livesCreated(world, from, to)].flatMap((life) => seenOn(life, day) ?? [])
  }
}

/**
 * What a report needs first of the sample as it stood on `before`: projects that one can still bid for, and those about which anything becomes known
 * after `before`, up to and with `today`, also only because time goes by (bids close, a contract has been quiet long enough). `total`: all that there are.
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
} {
  const [at, until] = [dayOf(before), dayOf(today)]
  const from = days === undefined ? firstCreationDay(at) : at - days
  const records: FeedRecord[] = []
  let total = 0
  for (const life of livesCreated(sampleWorld(seed), from, at)) {
    const record = seenOn(life, at)
    if (record === undefined) continue
    total += 1
    if (isOpen(record, before) || movesBetween(life, at, until)) records.push(record)
  }
  return { records, total }
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
