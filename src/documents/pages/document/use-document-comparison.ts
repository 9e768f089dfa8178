import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type DocumentComparison, findPreviousDocumentVersion } from '#contract/documents/document-comparison.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { documentComparisonQuery } from '#src/documents/api/comparisons.ts'
import { projectDocumentsQuery } from '#src/documents/api/documents.ts'
import { useDocumentEvent } from '#src/lib/use-document-event.ts'
import type { QueryState } from '#src/ui/query-view.tsx'
import type { DocumentPassage } from './use-document-reader.ts'

/** Returns the passages in the newer document, in list order; undefined for deleted clauses. */
const passagesOf = ({ facts, differences }: DocumentComparison): (DocumentPassage | undefined)[] => [
  ...facts.map(({ after }) => after),
  ...differences.map(({ after }) => after),
]

/** Without a preceding document, nothing is fetched until the user selects one. */
export function useDocumentComparison(
  document: ProjectDocument,
  compare: string | undefined,
  openPassage: (passage: DocumentPassage) => void,
) {
  const { data: documents } = useQuery({
    ...projectDocumentsQuery(document.project_id),
    enabled: document.state === 'read',
  })
  const otherDocuments = documents?.filter(({ id, state }) => id !== document.id && state === 'read')
  const olderDocument =
    otherDocuments &&
    (otherDocuments.find(({ id }) => id === compare) ?? findPreviousDocumentVersion(document, otherDocuments))
  const query: QueryState<DocumentComparison> = useQuery(documentComparisonQuery(document.id, olderDocument?.id))
  const { data } = query
  /** Index of the difference opened last, from 0; facts are numbered before clauses. */
  const [current, setCurrent] = useState<number>()
  const open = (at: number) => {
    setCurrent(at)
    const passage = data && passagesOf(data)[at]
    if (passage) openPassage(passage)
  }
  const step = (by: 1 | -1) => {
    const count = data ? passagesOf(data).length : 0
    if (count > 0) open(current === undefined ? (by === 1 ? 0 : count - 1) : (current + by + count) % count)
  }
  useDocumentEvent('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    if ((event.target as HTMLElement).matches('input, textarea, select, [role="dialog"] *')) return
    if (event.key !== 'd' && event.key !== 'D') return
    event.preventDefault()
    if (compare) step(event.key === 'd' ? 1 : -1)
  })
  return { otherDocuments, before: olderDocument, query, current, open }
}

export type DocumentComparisonState = ReturnType<typeof useDocumentComparison>
