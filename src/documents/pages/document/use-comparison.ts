import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type DocumentComparison, predecessorOf } from '#contract/documents/document-comparison.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { comparisonQuery } from '#src/documents/api/comparisons.ts'
import { projectDocumentsQuery } from '#src/documents/api/documents.ts'
import type { Passage } from './use-reader.ts'

export type Comparison = {
  /** Documents of the project that it can be compared with, the newest first; undefined while they are on their way. */
  readonly others: readonly ProjectDocument[] | undefined
  readonly before: ProjectDocument | undefined
  readonly data: DocumentComparison | undefined
  readonly error: Error | null
  readonly isFetching: boolean
  readonly retry: () => void
  /** The difference that was opened last, from 0; facts count first. */
  readonly current: number | undefined
  readonly open: (at: number) => void
}

/** Whether differences are looked at: `?compare=` names the older document, `auto` the one that it follows. */
const isOn = (compare: string | undefined) => compare !== undefined && compare !== ''

/** The passages of a comparison in the newer document, as they are listed; undefined where the clause is gone. */
const passagesOf = ({ facts, differences }: DocumentComparison): (Passage | undefined)[] => [
  ...facts.map(({ after }) => after),
  ...differences.map(({ after }) => after),
]

/** The document beside another of its project; without one that it follows nothing is asked until somebody chooses. */
export function useComparison(
  document: ProjectDocument,
  compare: string | undefined,
  openPassage: (passage: Passage) => void,
): Comparison {
  const { data: documents } = useQuery({
    ...projectDocumentsQuery(document.project_id),
    enabled: document.state === 'read',
  })
  const others = documents?.filter(({ id, state }) => id !== document.id && state === 'read')
  const before = others && (others.find(({ id }) => id === compare) ?? predecessorOf(document, others))
  const { data, error, isFetching, refetch } = useQuery(comparisonQuery(document.id, before?.id))
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
  useDifferenceKeys(isOn(compare) ? step : undefined)
  return { others, before, data, error, isFetching, retry: () => void refetch(), current, open }
}

/** `d` and `D` through the differences while they are shown. */
function useDifferenceKeys(step: ((by: 1 | -1) => void) | undefined): void {
  const latest = useRef(step)
  useEffect(() => {
    latest.current = step
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      if ((event.target as HTMLElement).matches('input, textarea, select, [role="dialog"] *')) return
      if (event.key !== 'd' && event.key !== 'D') return
      event.preventDefault()
      latest.current?.(event.key === 'd' ? 1 : -1)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
