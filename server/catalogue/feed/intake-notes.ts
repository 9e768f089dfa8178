import type { FeedRecord } from './feed-source.ts'
import type { IntakeNotes, KnownProject, ProjectRow, StoredDoubt } from './project-row.ts'
import type { Speaker } from './sources/believed.ts'

/** Sorts records by `statedAt` when all of them have one. */
export function byStatement(records: readonly FeedRecord[]): readonly FeedRecord[] {
  if (records.length < 2 || records.some(({ statedAt }) => statedAt === undefined)) return records
  return records.toSorted((a, b) => (a.statedAt! < b.statedAt! ? -1 : a.statedAt! > b.statedAt! ? 1 : 0))
}

const COLUMNS: Partial<Record<keyof FeedRecord, keyof ProjectRow>> = {
  name: 'name',
  deptName: 'dept_name',
  deptSubName: 'dept_sub_name',
  deptProvince: 'dept_province',
  projectProvince: 'project_province',
  district: 'district',
  subdistrict: 'subdistrict',
  latitude: 'latitude',
  longitude: 'longitude',
  fiscalYear: 'fiscal_year',
  status: 'status',
  criteria: 'criteria',
  method: 'method',
  methodType: 'method_type',
  budgetSatang: 'budget_satang',
  estimateSatang: 'estimate_satang',
  winnerSatang: 'winner_satang',
  winnerName: 'winner_name',
  draftPublishedOn: 'draft_published_on',
  draftDiscussionEndsOn: 'draft_discussion_ends_on',
  biddingInvitedOn: 'bidding_invited_on',
  submissionEndsOn: 'submission_ends_on',
  submissionTime: 'submission_time',
  winnerAnnouncedOn: 'winner_announced_on',
  contractSignedOn: 'contract_signed_on',
  remark: 'remark',
}

/** Reduces records older than the stored state to values that are still missing, so they change nothing else. */
export function behindKnown(known: KnownProject | undefined, records: readonly FeedRecord[]): readonly FeedRecord[] {
  const since = known?.statedAt
  if (known === undefined || since === undefined) return records
  return records.map((record) =>
    record.statedAt !== undefined && record.statedAt < since ? filling(known, record) : record,
  )
}

function filling(known: KnownProject, record: FeedRecord): FeedRecord {
  const isKnown = ([key]: [string, unknown]) => {
    const column = COLUMNS[key as keyof FeedRecord]
    return column !== undefined && known.row[column] !== null && known.row[column] !== ''
  }
  const numbers = new Set(known.contracts.map(({ contract_no }) => contract_no))
  return {
    ...(Object.fromEntries(Object.entries(record).filter((entry) => !isKnown(entry))) as FeedRecord),
    projectId: record.projectId,
    contracts: record.contracts?.filter(({ contractNo }) => !numbers.has(contractNo)),
    bidders: known.bidders.length > 0 ? undefined : record.bidders,
    doubts: undefined,
  }
}

/** Returns the doubts and the statement date after these records; undefined when unchanged. */
export function intakeAfter(
  known: KnownProject | undefined,
  records: readonly FeedRecord[],
  { source, loadId }: Speaker,
): IntakeNotes | undefined {
  const before = known?.doubts ?? []
  const incoming = new Map<string, StoredDoubt>()
  const add = ({ kind, field, value }: StoredDoubt, from: { source: string; load: number }) =>
    incoming.set(`${kind} ${field} ${value}`, { kind, field, value, ...from })
  // A new load of the same source replaces its earlier doubts.
  for (const doubt of before)
    if (records.length === 0 || doubt.source !== source || doubt.load === loadId) add(doubt, doubt)
  for (const record of records)
    for (const doubt of record.doubts ?? [])
      if (!incoming.has(`${doubt.kind} ${doubt.field} ${doubt.value}`))
        add({ ...doubt, source, load: loadId }, { source, load: loadId })
  const doubts = [...incoming.values()]
  const stated_at = [known?.statedAt, ...records.map(({ statedAt }) => statedAt)].reduce<string | null>(
    (latest, at) => (at !== undefined && (latest === null || at > latest) ? at : latest),
    null,
  )
  const isSame =
    stated_at === (known?.statedAt ?? null) &&
    doubts.length === before.length &&
    doubts.every((doubt, at) => doubt.kind === before[at]!.kind && doubt.value === before[at]!.value)
  return isSame ? undefined : { doubts, stated_at }
}
