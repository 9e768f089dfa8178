import { ROW_FIELDS, type RowFiles, type StoredProject, type StoredRow } from './rows-sql.ts'

export type ProjectPairs<T> = readonly (readonly [id: string, value: T])[] | null
type ListedRow = Pick<StoredRow, 'project_id' | 'change'> & StoredProject & { readonly words_id: number }

type Files = NonNullable<StoredRow['attachments']>

export type StoredParts = {
  readonly rows: { readonly [N in keyof ListedRow]: readonly ListedRow[N][] | null }
  readonly words:
    | readonly (readonly [
        id: number,
        words: StoredRow['matched_words'],
        by: StoredRow['matched_by'],
        reasons: StoredRow['match_reasons'],
      ])[]
    | null
  readonly changes: ProjectPairs<NonNullable<StoredRow['changes']>>
  readonly rescues: ProjectPairs<string>
  readonly pursuits: ProjectPairs<NonNullable<StoredRow['pursuit']>>
  readonly files: ProjectPairs<Files | string[]>
  readonly from_documents: ProjectPairs<NonNullable<StoredRow['from_documents']>>
  readonly doubts: ProjectPairs<NonNullable<StoredRow['doubts']>>
  readonly contract_ends: ProjectPairs<NonNullable<StoredRow['contract_ends']>>
}

function rowAt(lists: StoredParts['rows'], at: number): Omit<ListedRow, 'words_id'> {
  const row: Record<string, unknown> = {}
  for (const name of ROW_FIELDS) row[name] = lists[name as keyof ListedRow]![at]
  // The lists are those of `ListedRow`, but TypeScript cannot follow that through the loop.
  return row as ListedRow
}

export const valuesByProject = <T>(pairs: ProjectPairs<T>): ReadonlyMap<string, T> => new Map(pairs)

export function storedRows(parts: StoredParts, files: RowFiles = 'listed'): StoredRow[] {
  const words = new Map(parts.words?.map(([id, ...of]) => [id, of]))
  const [changes, rescues, pursuits] = [
    valuesByProject(parts.changes),
    valuesByProject(parts.rescues),
    valuesByProject(parts.pursuits),
  ]
  const [filesById, documents, doubts, ends] = [
    valuesByProject(parts.files),
    valuesByProject(parts.from_documents),
    valuesByProject(parts.doubts),
    valuesByProject(parts.contract_ends),
  ]
  const ids = parts.rows.project_id ?? []
  return ids.flatMap((id, at): StoredRow[] => {
    const row = rowAt(parts.rows, at)
    const why = words.get(parts.rows.words_id![at]!)
    if (!why) return []
    const rowFiles = filesById.get(id) ?? null
    const related = {
      matched_words: why[0],
      matched_by: why[1],
      match_reasons: why[2],
      changes: changes.get(id) ?? null,
      rescued_from: rescues.get(id) ?? null,
      pursuit: pursuits.get(id) ?? null,
      from_documents: documents.get(id) ?? null,
      doubts: doubts.get(id) ?? null,
      contract_ends: ends.get(id) ?? null,
      deep: null,
    }
    // Mutates the row, because copying 28 fields again took as long as reading them.
    if (files === 'listed') return [Object.assign(row, related, { attachments: rowFiles as Files | null })]
    return [Object.assign(row, related, { attachment_urls: rowFiles as string[] | null })]
  })
}
