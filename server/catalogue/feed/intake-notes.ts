import { type FeedRecord, SOURCE_STATED_FACTS } from './feed-source.ts'
import type { ExistingProject, ProjectImportNotes, ProjectRow, StoredDataIssue } from './project-row.ts'
import type { FactOrigin } from './sources/resolve-fact-conflicts.ts'

export function sortFeedRecordsBySourceTime(records: readonly FeedRecord[]): readonly FeedRecord[] {
  if (records.length < 2 || records.some(({ statedAt }) => statedAt === undefined)) return records
  return records.toSorted((a, b) => (a.statedAt! < b.statedAt! ? -1 : a.statedAt! > b.statedAt! ? 1 : 0))
}

const COLUMNS_BY_KEY = new Map<string, { readonly column: keyof ProjectRow; readonly unknown: unknown }>([
  ...SOURCE_STATED_FACTS.map(({ key, column, unknown = null }) => [key, { column, unknown }] as const),
  ['status', { column: 'status', unknown: null }],
])

/**
 * Reduces records older than the stored state to the values that the stored state lacks, so that they change nothing
 * else.
 */
export function limitOlderRecordsToMissingValues(
  existing: ExistingProject | undefined,
  records: readonly FeedRecord[],
): readonly FeedRecord[] {
  const since = existing?.statedAt
  if (existing === undefined || since === undefined) return records
  return records.map((record) =>
    record.statedAt !== undefined && record.statedAt < since ? onlyMissingValues(existing, record) : record,
  )
}

function onlyMissingValues(existing: ExistingProject, record: FeedRecord): FeedRecord {
  const isStored = ([key]: [string, unknown]) => {
    const stored = COLUMNS_BY_KEY.get(key)
    return stored !== undefined && existing.row[stored.column] !== stored.unknown
  }
  const numbers = new Set(existing.contracts.map(({ contract_no }) => contract_no))
  return {
    ...(Object.fromEntries(Object.entries(record).filter((entry) => !isStored(entry))) as FeedRecord),
    projectId: record.projectId,
    contracts: record.contracts?.filter(({ contractNo }) => !numbers.has(contractNo)),
    bidders: existing.bidders.length > 0 ? undefined : record.bidders,
    doubts: undefined,
  }
}

export function computeNextProjectImportNotes(
  existing: ExistingProject | undefined,
  records: readonly FeedRecord[],
  { source, loadId }: FactOrigin,
): ProjectImportNotes | undefined {
  const storedDoubts = existing?.doubts ?? []
  const incoming = new Map<string, StoredDataIssue>()
  const add = ({ kind, field, value }: StoredDataIssue, from: { source: string; load: number }) =>
    incoming.set(`${kind} ${field} ${value}`, { kind, field, value, ...from })
  // A new load of the same source replaces that source's earlier doubts.
  for (const doubt of storedDoubts)
    if (records.length === 0 || doubt.source !== source || doubt.load === loadId) add(doubt, doubt)
  for (const record of records)
    for (const doubt of record.doubts ?? [])
      if (!incoming.has(`${doubt.kind} ${doubt.field} ${doubt.value}`))
        add({ ...doubt, source, load: loadId }, { source, load: loadId })
  const doubts = [...incoming.values()]
  const stated_at = [existing?.statedAt, ...records.map(({ statedAt }) => statedAt)].reduce<string | null>(
    (latest, at) => (at !== undefined && (latest === null || at > latest) ? at : latest),
    null,
  )
  const isSame =
    stated_at === (existing?.statedAt ?? null) &&
    doubts.length === storedDoubts.length &&
    doubts.every((doubt, at) => doubt.kind === storedDoubts[at]!.kind && doubt.value === storedDoubts[at]!.value)
  return isSame ? undefined : { doubts, stated_at }
}
