import {
  DOCUMENT_FACT_SOURCE,
  getProjectFactSourceRank,
  SOURCED_PROJECT_FACTS,
  type SourcedProjectFact,
} from '#contract/catalogue/fact-source.ts'
import { type FeedRecord, SOURCE_STATED_FACTS } from '#server/catalogue/feed/feed-source.ts'
import { toProjectStatusCode } from '#server/catalogue/feed/feed-vocabulary.ts'
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

function plainRule(name: SourcedProjectFact): FactRule {
  const { key, column } = SOURCE_STATED_FACTS.find((fact) => fact.name === name)!
  return {
    isStated: (incoming) => incoming[key] !== undefined,
    isStored: (row) => row[column] !== null,
    agrees: (incoming, row) => incoming[key] === row[column],
    valuesIfIgnored: (row) => ({ [key]: row[column] }),
  }
}

/** Final statuses that the feed never announces; any source may set them. */
const STATUSES_WITHOUT_ANNOUNCEMENT: readonly (string | undefined)[] = ['contract_created', 'project_cancelled']

const SPECIAL_RULES: Readonly<Partial<Record<SourcedProjectFact, FactRule>>> = {
  submission_end_date: {
    ...plainRule('submission_end_date'),
    valuesIfIgnored: (row) => ({ submissionEndsOn: row.submission_ends_on, submissionTime: row.submission_time }),
  },
  status: {
    // An announcement implies a status, so it counts as stating one.
    isStated: ({ status, announcements }) => Boolean(status) || (announcements?.length ?? 0) > 0,
    isStored: () => true,
    agrees: ({ status }, row) => Boolean(status) && toProjectStatusCode(status!) === row.status,
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

const FACT_RULES = Array.from(SOURCED_PROJECT_FACTS, ([name, group]) => ({
  name,
  group,
  rule: SPECIAL_RULES[name] ?? plainRule(name),
}))

export const UNKNOWN_DEPARTMENT_NAME = 'ไม่ระบุหน่วยงาน'

export function resolveFactConflicts(
  existing: ExistingProject | undefined,
  incoming: Partial<FeedRecord>,
  origin: FactOrigin,
): ResolvedProjectRecord {
  if (existing === undefined) return { incoming, fieldSources: undefined }
  let resolved: Record<string, unknown> | undefined
  let sources: Record<string, readonly [string, number]> | undefined
  for (const { name, group, rule: fact } of FACT_RULES) {
    const holder = existing.fieldSources[name]?.[0] ?? existing.source
    if (holder === origin.source || !fact.isStated(incoming)) continue
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
  name === 'status' && Boolean(status) && STATUSES_WITHOUT_ANNOUNCEMENT.includes(toProjectStatusCode(status!))
