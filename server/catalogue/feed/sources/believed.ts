import {
  DOCUMENT_SOURCE,
  placeOf,
  SOURCED_FACT_NAMES,
  SOURCED_FACTS,
  type SourcedFact,
} from '#contract/catalogue/fact-source.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import type { FieldSources, KnownProject, ProjectRow } from '#server/catalogue/feed/project-row.ts'
import { statusCode } from '#server/catalogue/feed/vocabulary.ts'

export type Speaker = { readonly source: string; readonly loadId: number }
export type Believed = {
  readonly incoming: Partial<FeedRecord>
  /** Sources of all the project's facts; undefined when unchanged. */
  readonly fieldSources: FieldSources | undefined
}

type Fact = {
  readonly says: (incoming: Partial<FeedRecord>) => boolean
  readonly isKnown: (row: ProjectRow) => boolean
  readonly agrees: (incoming: Partial<FeedRecord>, row: ProjectRow) => boolean
  /** Values to use when this fact is ignored. Facts that would otherwise be derived get the stored value. */
  readonly leftOut: (row: ProjectRow) => Partial<Record<keyof FeedRecord, unknown>>
}

type Plain = { readonly [key in keyof FeedRecord]?: keyof ProjectRow }
const plain = (key: keyof Plain & keyof FeedRecord, column: keyof ProjectRow): Fact => ({
  says: (incoming) => incoming[key] !== undefined,
  isKnown: (row) => row[column] !== null,
  agrees: (incoming, row) => incoming[key] === row[column],
  leftOut: (row) => ({ [key]: row[column] }),
})

/** Final statuses that the feed never announces; any source may set them. */
const TOLD_BY_NO_ANNOUNCEMENT: readonly (string | undefined)[] = ['contract_created', 'project_cancelled']

const FACTS: Readonly<Record<SourcedFact, Fact>> = {
  budget: plain('budgetSatang', 'budget_satang'),
  estimate_budget: plain('estimateSatang', 'estimate_satang'),
  winner_budget: plain('winnerSatang', 'winner_satang'),
  draft_published_date: plain('draftPublishedOn', 'draft_published_on'),
  draft_discussion_end_date: plain('draftDiscussionEndsOn', 'draft_discussion_ends_on'),
  bidding_invite_date: plain('biddingInvitedOn', 'bidding_invited_on'),
  winner_announce_date: plain('winnerAnnouncedOn', 'winner_announced_on'),
  submission_end_date: {
    ...plain('submissionEndsOn', 'submission_ends_on'),
    leftOut: (row) => ({ submissionEndsOn: row.submission_ends_on, submissionTime: row.submission_time }),
  },
  status: {
    // An announcement implies the status.
    says: ({ status, announcements }) => Boolean(status) || (announcements?.length ?? 0) > 0,
    isKnown: () => true,
    agrees: ({ status }, row) => Boolean(status) && statusCode(status!) === row.status,
    leftOut: () => ({ status: undefined }),
  },
  dept_sub_name: {
    says: ({ deptName, deptSubName }) => deptName !== undefined || deptSubName !== undefined,
    isKnown: (row) => row.dept_name !== UNKNOWN_DEPARTMENT,
    agrees: ({ deptName, deptSubName }, row) =>
      deptName === row.dept_name && (deptSubName === undefined || deptSubName === row.dept_sub_name),
    leftOut: () => ({ deptName: undefined, deptSubName: undefined, deptProvince: undefined }),
  },
}

export const UNKNOWN_DEPARTMENT = 'ไม่ระบุหน่วยงาน'

/** Resolves conflicts between a load and the sources of the stored facts, by `SOURCE_ORDER`. */
export function believed(known: KnownProject | undefined, incoming: Partial<FeedRecord>, speaker: Speaker): Believed {
  if (known === undefined) return { incoming, fieldSources: undefined }
  let said: Record<string, unknown> | undefined
  let sources: Record<string, readonly [string, number]> | undefined
  for (const name of SOURCED_FACT_NAMES) {
    const fact = FACTS[name]
    const holder = known.fieldSources[name]?.[0] ?? known.source
    if (holder === speaker.source || !fact.says(incoming)) continue
    const group = SOURCED_FACTS[name]
    const distance = placeOf(group, speaker.source) - placeOf(group, holder)
    const isKnown = fact.isKnown(known.row)
    if (isKnown && distance > 0 && !isHeardAnyway(name, incoming)) {
      said = { ...(said ?? incoming), ...fact.leftOut(known.row) }
      continue
    }
    // A source of equal rank that agrees does not become the fact's source.
    if (isKnown && distance === 0 && fact.agrees(incoming, known.row)) continue
    sources = { ...(sources ?? known.fieldSources), [name]: [speaker.source, speaker.loadId] }
    // The submission time from a document is valid only for its day.
    const isOtherDay = name === 'submission_end_date' && !fact.agrees(incoming, known.row)
    if (holder === DOCUMENT_SOURCE && isOtherDay && incoming.submissionTime === undefined)
      said = { ...(said ?? incoming), submissionTime: null }
  }
  return { incoming: (said as Partial<FeedRecord> | undefined) ?? incoming, fieldSources: sources }
}

const isHeardAnyway = (name: SourcedFact, { status }: Partial<FeedRecord>) =>
  name === 'status' && Boolean(status) && TOLD_BY_NO_ANNOUNCEMENT.includes(statusCode(status!))
