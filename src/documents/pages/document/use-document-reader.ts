import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import type { DocumentFact } from '#contract/documents/document.ts'
import { type DocumentMatches, parseDocumentQuery } from '#contract/documents/document-search.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { documentFileQuery } from '#src/documents/api/document-file.ts'
import { documentSearchHitsQuery } from '#src/documents/api/documents.ts'
import { usePdfFile } from '#src/documents/document-page/use-pdf-file.ts'
import type { DocumentReaderSearch } from '#src/documents/document-reader-search.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { useDocumentEvent } from '#src/lib/use-document-event.ts'
import { getNextZoomLevel } from './zoom-levels.ts'

type ReaderNavigation = {
  readonly change: (search: Pick<DocumentReaderSearch, 'page' | 'q'>) => void
  readonly leave: () => void
}

export type DocumentPassage = Pick<DocumentFact, 'page' | 'sentence'>

export type DocumentReaderState = ReturnType<typeof useDocumentReader>

const NO_PHRASES: readonly string[] = []

/** Returns the page of a match, which `index` counts over all pages, and its index among the matches on this page. */
function locateMatch({ pages }: DocumentMatches, index: number) {
  let at = index
  for (const { page, count } of pages) {
    if (at < count) return { page, at }
    at -= count
  }
  return undefined
}

export function useDocumentReader(
  document: ProjectDocument,
  search: DocumentReaderSearch,
  navigation: ReaderNavigation,
) {
  const [page, setPage] = useState(search.page ?? 1)
  /** Increments on every jump, so that jumping to the page already shown scrolls again. */
  const [jumps, setJumps] = useState(page > 1 || search.passage ? 1 : 0)
  const [typed, setTyped] = useState(search.q ?? '')
  const [matchIndex, setMatchIndex] = useState<number>()
  const [passage, setPassage] = useState<DocumentPassage | undefined>(
    search.passage ? { page, sentence: search.passage } : undefined,
  )
  const [zoom, setZoom] = useState(1)
  const fileQuery = useQuery({ ...documentFileQuery(document.id), enabled: document.type === 'pdf' })
  // The data of a picture is also in the cache.
  const { file, hasFailed } = usePdfFile(document.type === 'pdf' ? fileQuery.data : undefined)
  const pageCount = file?.pageCount ?? document.page_count
  const q = useDebouncedText(typed.trim())
  const query = q === '' ? undefined : parseDocumentQuery(q)
  const hasText = document.state === 'read' || document.pictures.done > 0
  const isAskable = query?.ok === true && hasText
  const { data, error } = useQuery({ ...documentSearchHitsQuery(document.id, q), enabled: isAskable })
  const hits = isAskable ? data : undefined

  const changeAddress = useEffectEvent(navigation.change)
  useEffect(() => {
    changeAddress({ page, ...(q === '' ? {} : { q }) })
  }, [page, q])

  const open = (to: number) => {
    setPage(Math.min(Math.max(1, to), Math.max(1, pageCount)))
    setJumps((count) => count + 1)
  }
  const goTo = (next: number) => {
    if (!hits || hits.count === 0) return
    const index = (next + hits.count) % hits.count
    setMatchIndex(index)
    const match = locateMatch(hits, index)
    if (match) open(match.page)
  }
  const step = (by: 1 | -1) => goTo(matchIndex === undefined ? (by === 1 ? 0 : -1) : matchIndex + by)
  const reader = {
    page,
    pageCount,
    jumps,
    open,
    arrive: setPage,
    typed,
    type(text: string) {
      setTyped(text)
      setMatchIndex(undefined)
      setPassage(undefined)
    },
    problem: query?.ok === false ? query.text : error ? getErrorText(error) : undefined,
    hits,
    phrases: query?.ok === true ? query.phrases : NO_PHRASES,
    matchIndex,
    match: hits && matchIndex !== undefined ? locateMatch(hits, matchIndex) : undefined,
    count: hits?.count ?? 0,
    step,
    openHits: (to: number) =>
      goTo((hits?.pages ?? []).filter((hit) => hit.page < to).reduce((sum, { count }) => sum + count, 0)),
    passage,
    openPassage(target: DocumentPassage) {
      setPassage(target)
      open(target.page)
    },
    zoom,
    setZoom,
    fileQuery,
    file,
    hasFailed,
  }
  useReaderKeys(reader, navigation.leave)
  return reader
}

/** Keys of the reader. Esc leaves the search box and then the document. */
function useReaderKeys(reader: DocumentReaderState, leave: () => void): void {
  const { open, page, setZoom, zoom } = reader
  useDocumentEvent('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
    const target = event.target as HTMLElement
    const isTyping = target.matches('input, textarea, select')
    if (target.closest('[role="dialog"]')) return
    if (isTyping) {
      if (event.key === 'Escape') {
        // Esc would clear a search input, and with it the matches that n and N step through.
        event.preventDefault()
        target.blur()
      }
      if (event.key === 'Enter') reader.step(event.shiftKey ? -1 : 1)
      return
    }
    const keys: Readonly<Record<string, () => void>> = {
      ArrowRight: () => open(page + 1),
      ArrowLeft: () => open(page - 1),
      PageDown: () => open(page + 1),
      PageUp: () => open(page - 1),
      n: () => reader.step(1),
      N: () => reader.step(-1),
      '+': () => setZoom(getNextZoomLevel(zoom, 1)),
      '=': () => setZoom(getNextZoomLevel(zoom, 1)),
      '-': () => setZoom(getNextZoomLevel(zoom, -1)),
      '0': () => setZoom(1),
      '/': () => getNamedElement('documentSearch')?.focus(),
      Escape: leave,
    }
    const run = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (!run) return
    event.preventDefault()
    run()
  })
}
