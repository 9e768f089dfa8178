import type { ProjectMovement } from '#contract/catalogue/project.ts'
import type { FeedAnnouncement, FeedAttachment, FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { dayNumberToIsoDate } from './day-numbers.ts'

/** Project fields that a source may set, except the lists, which accumulate. */
export type PublishedProjectFields = Omit<Partial<FeedRecord>, 'projectId' | 'announcements' | 'attachments'>

export type SimulatedProjectHistoryStep = {
  readonly day: number
  /** Announcement that publishes the step; without one the change appears only on the project itself (a delivery). */
  readonly movement?: ProjectMovement
  readonly fields: PublishedProjectFields
  readonly attachments?: readonly FeedAttachment[]
}

export type SimulatedProjectHistory = {
  readonly projectId: string
  readonly base: PublishedProjectFields
  readonly steps: readonly SimulatedProjectHistoryStep[]
}

// Null means "known to be empty" until a step sets it, so every record has all fields.
const EMPTY_FIELDS: PublishedProjectFields = {
  estimateSatang: null,
  draftPublishedOn: null,
  draftDiscussionEndsOn: null,
  biddingInvitedOn: null,
  submissionEndsOn: null,
  submissionTime: null,
  winnerAnnouncedOn: null,
  winnerName: null,
  winnerSatang: null,
  contractSignedOn: null,
  remark: null,
  contracts: [],
  bidders: [],
}

/** Returns the project as of the end of `day`, or undefined before its first announcement. */
export function getFeedRecordAsOf(history: SimulatedProjectHistory, day: number): FeedRecord | undefined {
  if (history.steps[0] === undefined || history.steps[0].day > day) return undefined
  const announcements: FeedAnnouncement[] = []
  const attachments: FeedAttachment[] = []
  let record: FeedRecord = { projectId: history.projectId, ...EMPTY_FIELDS, ...history.base }
  for (const step of history.steps) {
    if (step.day > day) break
    record = { ...record, ...step.fields }
    if (step.movement !== undefined)
      announcements.push({ movement: step.movement, announcedOn: dayNumberToIsoDate(step.day) })
    if (step.attachments !== undefined) attachments.push(...step.attachments)
  }
  return { ...record, announcements, attachments }
}

export function hasProjectHistoryStepOnDay(history: SimulatedProjectHistory, day: number): boolean {
  return history.steps.some((step) => step.day === day)
}
