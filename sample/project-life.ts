import type { ProjectMovement } from '#contract/catalogue/project.ts'
import type { FeedAnnouncement, FeedAttachment, FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { isoOf } from './working-days.ts'

/** What a source may say of a project besides the lists that grow by themselves. */
export type Sayings = Omit<Partial<FeedRecord>, 'projectId' | 'announcements' | 'attachments'>

/** One day on which something about a project becomes known. */
export type LifeStep = {
  readonly day: number
  /** The announcement that makes it known; without one the project itself shows it (a delivery). */
  readonly movement?: ProjectMovement
  readonly says: Sayings
  readonly attachments?: readonly FeedAttachment[]
}

/** A project from its first announcement to its end, past and future alike. */
export type ProjectLife = {
  readonly projectId: string
  /** What never changes. */
  readonly base: Sayings
  /** In the order of their days. */
  readonly steps: readonly LifeStep[]
}

// "Known to be empty" until a step says otherwise, so that a record has every field of its project.
const NOTHING_YET: Sayings = {
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

/** The project as it stood at the end of `day`, or undefined when nothing had been announced yet. */
export function seenOn(life: ProjectLife, day: number): FeedRecord | undefined {
  if (life.steps[0] === undefined || life.steps[0].day > day) return undefined
  const announcements: FeedAnnouncement[] = []
  const attachments: FeedAttachment[] = []
  let record: FeedRecord = { projectId: life.projectId, ...NOTHING_YET, ...life.base }
  for (const step of life.steps) {
    if (step.day > day) break
    record = { ...record, ...step.says }
    if (step.movement !== undefined) announcements.push({ movement: step.movement, announcedOn: isoOf(step.day) })
    if (step.attachments !== undefined) attachments.push(...step.attachments)
  }
  return { ...record, announcements, attachments }
}

/** Whether the project looks different at the end of `day` than at the end of the day before. */
export function changesOn(life: ProjectLife, day: number): boolean {
  return life.steps.some((step) => step.day === day)
}
