import { createHash } from 'node:crypto'
import type { FeedSource } from '#server/catalogue/feed/feed-source.ts'
import { REPAIRED_XML } from '#server/catalogue/feed/sources/egp-rss.ts'
import {
  type AnnouncementContext,
  type PurchasingPlan,
  parseAnnouncement,
  type ReceivedAnnouncement,
} from './parse-announcement.ts'

export type AnnouncementBatch = {
  readonly source: FeedSource
  readonly fingerprint: string
  readonly items: number
  readonly plans: readonly PurchasingPlan[]
}

/**
 * Sorts announcements oldest first, so that the latest title of a project wins and steps stay in order. Uses the source
 * name of saved feed files, because the origin of a fact does not depend on how it was fetched.
 */
export function buildAnnouncementBatch(
  received: readonly ReceivedAnnouncement[],
  context: AnnouncementContext,
): AnnouncementBatch {
  const ordered = received.toSorted((a, b) => compare(a.publishedOn, b.publishedOn))
  const readings = ordered.map((item) => parseAnnouncement(item, context))
  const ofLoad = readings.flatMap((reading) => ('plan' in reading ? [] : [reading]))
  // Notes belong to the load, so the first record states the repaired responses of the whole batch.
  const notes = ordered.flatMap(({ isXmlRepaired = false }) => (isXmlRepaired ? [REPAIRED_XML] : []))
  const first = ofLoad.findIndex((reading) => 'record' in reading)
  return {
    source: {
      name: 'egp-rss',
      async *records(resumeAfterLine) {
        for (const [index, reading] of ofLoad.entries())
          if (index + 1 > resumeAfterLine) yield { line: index + 1, ...reading, ...(index === first && { notes }) }
      },
    },
    fingerprint: `egp-rss:${createHash('sha256').update(JSON.stringify(ordered)).digest('hex')}`,
    items: ofLoad.length,
    plans: readings.flatMap((reading) => ('plan' in reading ? [reading.plan] : [])),
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
