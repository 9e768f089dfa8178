import { createHash } from 'node:crypto'
import type { FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { type Plan, type ReadingContext, type ReceivedAnnouncement, readAnnouncement } from './read-announcement.ts'

/** A batch of the live feed, read: its projects as a source of the load, its plans apart. */
export type AnnouncementBatch = {
  readonly source: FeedSource
  /** Equal for the same items, so that an interrupted load of them goes on. */
  readonly fingerprint: string
  /** Items that go into the load, those that it will quarantine included. */
  readonly items: number
  readonly plans: readonly Plan[]
}

/**
 * The oldest announcement comes first, so that of two titles of one project the later one counts and the steps follow each other. The name of the
 * source is that of the feed's saved files: where a fact comes from does not depend on who fetched it.
 */
export function announcementBatch(
  received: readonly ReceivedAnnouncement[],
  context: ReadingContext,
): AnnouncementBatch {
  const ordered = received.toSorted((a, b) => compare(a.publishedOn, b.publishedOn))
  const readings = ordered.map((item) => readAnnouncement(item, context))
  const ofLoad = readings.flatMap((reading) => ('plan' in reading ? [] : [reading]))
  return {
    source: {
      name: 'egp-rss',
      async *records(resumeAfterLine) {
        for (const [index, reading] of ofLoad.entries())
          if (index + 1 > resumeAfterLine) yield { line: index + 1, ...reading }
      },
    },
    fingerprint: `egp-rss:${createHash('sha256').update(JSON.stringify(ordered)).digest('hex')}`,
    items: ofLoad.length,
    plans: readings.flatMap((reading) => ('plan' in reading ? [reading.plan] : [])),
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
