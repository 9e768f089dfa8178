import {
  REPORT_ROW_FIELDS,
  type ReportRowFileDetail,
  type StoredReportProject,
  type StoredReportRow,
} from './report-rows-sql.ts'

export type ProjectValuePairs<T> = readonly (readonly [id: string, value: T])[] | null
type ListedRow = Pick<StoredReportRow, 'project_id' | 'change'> & StoredReportProject & { readonly words_id: number }

type Files = NonNullable<StoredReportRow['attachments']>

export type MatchDescription = readonly [
  words: StoredReportRow['matched_words'],
  by: StoredReportRow['matched_by'],
  reasons: StoredReportRow['match_reasons'],
]

export type PackedReportRows = {
  readonly rows: { readonly [N in keyof ListedRow]: readonly ListedRow[N][] | null }
  readonly words: readonly (readonly [id: number, ...MatchDescription])[] | null
  readonly changes: ProjectValuePairs<NonNullable<StoredReportRow['changes']>>
  readonly rescues: ProjectValuePairs<string>
  readonly pursuits: ProjectValuePairs<NonNullable<StoredReportRow['pursuit']>>
  readonly files: ProjectValuePairs<Files | string[]>
  readonly from_documents: ProjectValuePairs<NonNullable<StoredReportRow['from_documents']>>
  readonly doubts: ProjectValuePairs<NonNullable<StoredReportRow['doubts']>>
  readonly contract_ends: ProjectValuePairs<NonNullable<StoredReportRow['contract_ends']>>
  readonly person_winners: ProjectValuePairs<string[]>
}

function rowAt(lists: PackedReportRows['rows'], at: number): Omit<ListedRow, 'words_id'> {
  const row: Record<string, unknown> = {}
  for (const name of REPORT_ROW_FIELDS) row[name] = lists[name as keyof ListedRow]![at]
  // The loop copied every field of `ListedRow`, but TypeScript cannot follow that.
  return row as ListedRow
}

export const toMapByProjectId = <T>(pairs: ProjectValuePairs<T>): ReadonlyMap<string, T> => new Map(pairs)

export const toMatchDescriptionsById = (words: PackedReportRows['words']): ReadonlyMap<number, MatchDescription> =>
  new Map(words?.map(([id, ...of]) => [id, of]))

export const describeMatch = ([matched_words, matched_by, match_reasons]: MatchDescription) => ({
  matched_words,
  matched_by,
  match_reasons,
})

export function toStoredReportRows(parts: PackedReportRows, files: ReportRowFileDetail = 'listed'): StoredReportRow[] {
  const words = toMatchDescriptionsById(parts.words)
  const [changes, rescues, pursuits] = [
    toMapByProjectId(parts.changes),
    toMapByProjectId(parts.rescues),
    toMapByProjectId(parts.pursuits),
  ]
  const [filesById, documents, doubts, ends, personWinners] = [
    toMapByProjectId(parts.files),
    toMapByProjectId(parts.from_documents),
    toMapByProjectId(parts.doubts),
    toMapByProjectId(parts.contract_ends),
    toMapByProjectId(parts.person_winners),
  ]
  const ids = parts.rows.project_id ?? []
  return ids.flatMap((id, at): StoredReportRow[] => {
    const row = rowAt(parts.rows, at)
    const why = words.get(parts.rows.words_id![at]!)
    if (!why) return []
    const rowFiles = filesById.get(id) ?? null
    const related = {
      ...describeMatch(why),
      changes: changes.get(id) ?? null,
      rescued_from: rescues.get(id) ?? null,
      pursuit: pursuits.get(id) ?? null,
      from_documents: documents.get(id) ?? null,
      doubts: doubts.get(id) ?? null,
      contract_ends: ends.get(id) ?? null,
      person_winners: personWinners.get(id) ?? null,
      deep: null,
    }
    // Mutates the row, because copying 28 fields again took as long as reading them.
    if (files === 'listed') return [Object.assign(row, related, { attachments: rowFiles as Files | null })]
    return [Object.assign(row, related, { attachment_urls: rowFiles as string[] | null })]
  })
}
