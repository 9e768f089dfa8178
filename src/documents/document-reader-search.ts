import { type FlatSearchParams, toFlatSearchParams } from '#src/lib/flat-search-params.ts'
import { pickSearch } from '#src/lib/typed-search.ts'

export type DocumentReaderSearch = {
  readonly page?: number
  readonly q?: string
  /** Id of the older document to compare with, or `auto` for the preceding one. */
  readonly compare?: string
  readonly passage?: string
  readonly side?: 'requirements'
}

export function parseDocumentReaderSearch({ page, q, compare, passage, side }: FlatSearchParams) {
  const search = pickSearch<DocumentReaderSearch>({
    page: page !== undefined && /^[1-9]\d{0,5}$/.test(page) ? Number(page) : undefined,
    q: q || undefined,
    compare: compare || undefined,
    passage: passage || undefined,
    side: side === 'requirements' ? side : undefined,
  })
  return { search, ignored: [] }
}

export function formatDocumentReaderSearch({ page = 1, ...search }: DocumentReaderSearch): Record<string, string> {
  return toFlatSearchParams({ ...(page > 1 && { page }), ...search })
}
