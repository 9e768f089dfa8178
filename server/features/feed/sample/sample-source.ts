import type { FeedItem, FeedSource } from '../feed-source.ts'
import { changesOn, seenOn } from './project-life.ts'
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
