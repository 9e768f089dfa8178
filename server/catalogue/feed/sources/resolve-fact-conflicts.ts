import {
  DOCUMENT_FACT_SOURCE,
  getProjectFactSourceRank,
  SOURCED_PROJECT_FACT_NAMES,
  SOURCED_PROJECT_FACTS,
  type SourcedProjectFact,
} from '#contract/catalogue/fact-source.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { toStatusCode } from '#server/catalogue/feed/feed-vocabulary.ts'
import type { ExistingProject, FieldSources, ProjectRow } from '#server/catalogue/feed/project-row.ts'

export type FactOrigin = { readonly source: string; readonly loadId: number }
export type ResolvedProjectRecord = {
  readonly incoming: Partial<FeedRecord>
  readonly fieldSources: FieldSources | undefined
}

type FactRule = {
  readonly isStated: (incoming: Partial<FeedRecord>) => boolean
  readonly isStored: (row: ProjectRow) => boolean
  readonly agrees: (incoming: Partial<FeedRecord>, row: ProjectRow) => boolean
  /** Values to use when this fact is ignored: facts that would otherwise be derived get the stored value. */
  readonly valuesIfIgnored: (row: ProjectRow) => Partial<Record<keyof FeedRecord, unknown>>
}

type PlainColumns = { readonly [key in keyof FeedRecord]?: keyof ProjectRow }
const plainRule = (key: keyof PlainColumns & keyof FeedRecord, column: keyof ProjectRow): FactRule => ({
  isStated: (incoming) => incoming[key] !== undefined,
  isStored: (row) => row[column] !== null,
  agrees: (incoming, row) => incoming[key] === row[column],
  valuesIfIgnored: (row) => ({ [key]: row[column] }),
})

/** Final statuses that the feed never announces; any source may set them. */
const STATUSES_WITHOUT_ANNOUNCEMENT: readonly (string | undefined)[] = ['contract_created', 'project_cancelled']

const FACT_RULES: Readonly<Record<SourcedProjectFact, FactRule>> = {
  budget: plainRule('budgetSatang', 'budget_satang'),
  estimate_budget: plainRule('estimateSatang', 'estimate_satang'),
  winner_budget: plainRule('winnerSatang', 'winner_satang'),
  draft_published_date: plainRule('draftPublishedOn', 'draft_published_on'),
  draft_discussion_end_date: plainRule('draftDiscussionEndsOn', 'draft_discussion_ends_on'),
  bidding_invite_date: plainRule('biddingInvitedOn', 'bidding_invited_on'),
  winner_announce_date: plainRule('winnerAnnouncedOn', 'winner_announced_on'),
  submission_end_date: {
    ...plainRule('submissionEndsOn', 'submission_ends_on'),
    valuesIfIgnored: (row) => ({ submissionEndsOn: row.submission_ends_on, submissionTime: row.submission_time }),
  },
  status: {
    // An announcement implies a status, so it counts as stating one.
    isStated: ({ status, announcements }) => Boolean(status) || (announcements?.length ?? 0) > 0,
    isStored: () => true,
    agrees: ({ status }, row) => Boolean(status) && toStatusCode(status!) === row.status,
    valuesIfIgnored: () => ({ status: undefined }),
  },
  dept_sub_name: {
    isStated: ({ deptName, deptSubName }) => deptName !== undefined || deptSubName !== undefined,
    isStored: (row) => row.dept_name !== UNKNOWN_DEPARTMENT_NAME,
    agrees: ({ deptName, deptSubName }, row) =>
      deptName === row.dept_name && (deptSubName === undefined || deptSubName === row.dept_sub_name),
    valuesIfIgnored: () => ({ deptName: undefined, deptSubName: undefined, deptProvince: undefined }),
  },
}

export const UNKNOWN_DEPARTMENT_NAME = 'ไม่ระบุหน่วยงาน'

export function resolveFactConflicts(
  existing: ExistingProject | undefined,
  incoming: Partial<FeedRecord>,
  origin: FactOrigin,
): ResolvedProjectRecord {
  if (existing === undefined) return { incoming, fieldSources: undefined }
  let resolved: Record<string, unknown> | undefined
  let sources: Record<string, readonly [string, number]> | undefined
  for (const name of SOURCED_PROJECT_FACT_NAMES) {
    const fact = FACT_RULES[name]
    const holder = existing.fieldSources[name]?.[0] ?? existing.source
    if (holder === origin.source || !fact.isStated(incoming)) continue
    const group = SOURCED_PROJECT_FACTS[name]
    const distance = getProjectFactSourceRank(group, origin.source) - getProjectFactSourceRank(group, holder)
    const hasStoredValue = fact.isStored(existing.row)
    if (hasStoredValue && distance > 0 && !isAcceptedFromAnySource(name, incoming)) {
      resolved = { ...(resolved ?? incoming), ...fact.valuesIfIgnored(existing.row) }
      continue
    }
    // A source of equal rank that states the same value does not become the fact's source.
    if (hasStoredValue && distance === 0 && fact.agrees(incoming, existing.row)) continue
    sources = { ...(sources ?? existing.fieldSources), [name]: [origin.source, origin.loadId] }
    // A submission time from a document is valid only for its day, so another submission day clears it.
    const isOtherDay = name === 'submission_end_date' && !fact.agrees(incoming, existing.row)
    if (holder === DOCUMENT_FACT_SOURCE && isOtherDay && incoming.submissionTime === undefined)
      resolved = { ...(resolved ?? incoming), submissionTime: null }
  }
  return { incoming: (resolved as Partial<FeedRecord> | undefined) ?? incoming, fieldSources: sources }
}

const isAcceptedFromAnySource = (name: SourcedProjectFact, { status }: Partial<FeedRecord>) =>
  name === 'status' && Boolean(status) && STATUSES_WITHOUT_ANNOUNCEMENT.includes(toStatusCode(status!))
