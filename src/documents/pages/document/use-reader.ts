import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { DocumentFact } from '#contract/documents/document.ts'
import { type DocumentHits, readDocumentQuestion } from '#contract/documents/document-search.ts'
import type { ProjectDocument } from '#contract/documents/project-document.ts'
import { errorText } from '#src/api/http/problem-error.ts'
import { documentHitsQuery } from '#src/documents/api/documents.ts'
import type { PdfFile } from '#src/documents/document-page/pdf-file.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { nextZoom } from './zoom.ts'

type Ways = {
  readonly change: (search: Record<string, string>) => void
  readonly leave: () => void
}

/** A sentence and its page, from 1. */
export type Passage = Pick<DocumentFact, 'page' | 'sentence'>

export type Reader = {
  readonly page: number
  readonly pageCount: number
  /** Increments on every jump, so that jumping to the current page works. */
  readonly jumps: number
  readonly open: (page: number) => void
  readonly arrive: (page: number) => void
  readonly setPageCount: (count: number) => void
  readonly typed: string
  readonly type: (text: string) => void
  readonly problem: string | undefined
  readonly hits: DocumentHits | undefined
  readonly phrases: readonly string[]
  /** Index of the current match among all, from 0. */
  readonly place: number | undefined
  readonly count: number
  readonly step: (by: 1 | -1) => void
  readonly openHits: (page: number) => void
  readonly passage: Passage | undefined
  readonly openPassage: (passage: Passage) => void
  /** 1 fits the available width. */
  readonly zoom: number
  readonly setZoom: (zoom: number) => void
  readonly file: PdfFile | undefined
  readonly setFile: (file: PdfFile | undefined) => void
}

const NONE: readonly string[] = []

/** State of the reader. Page and search are stored in the address; the rest is lost on leaving. */
export function useReader(document: ProjectDocument, flat: Readonly<Record<string, string>>, ways: Ways): Reader {
  const asked = Number(flat.page)
  const [page, setPage] = useState(Number.isInteger(asked) && asked > 0 ? asked : 1)
  const [pageCount, setPageCount] = useState(document.page_count)
  const [jumps, setJumps] = useState(page > 1 || flat.passage ? 1 : 0)
  const [typed, setTyped] = useState(flat.q ?? '')
  const [place, setPlace] = useState<number>()
  // Initial value from a link; later the reader sets it.
  const [passage, setPassage] = useState<Passage | undefined>(
    flat.passage ? { page, sentence: flat.passage } : undefined,
  )
  const [zoom, setZoom] = useState(1)
  const [file, setFile] = useState<PdfFile>()
  const q = useDebouncedText(typed.trim())
  const question = useMemo(() => (q === '' ? undefined : readDocumentQuestion(q)), [q])
  const hasText = document.state === 'read' || document.pictures.done > 0
  const isAskable = question?.ok === true && hasText
  const { data, error } = useQuery({ ...documentHitsQuery(document.id, q), enabled: isAskable })
  const hits = isAskable ? data : undefined

  const latest = useRef(ways)
  useEffect(() => {
    latest.current = ways
  })
  useEffect(() => {
    latest.current.change({ ...(page > 1 ? { page: String(page) } : {}), ...(q === '' ? {} : { q }) })
  }, [page, q])

  const open = (to: number) => {
    setPage(Math.min(Math.max(1, to), Math.max(1, pageCount)))
    setJumps((now) => now + 1)
  }
  const goTo = (next: number) => {
    if (!hits || hits.count === 0) return
    let left = (next + hits.count) % hits.count
    setPlace(left)
    for (const one of hits.pages) {
      if (left < one.count) return open(one.page)
      left -= one.count
    }
  }
  const step = (by: 1 | -1) => goTo(place === undefined ? (by === 1 ? 0 : -1) : place + by)
  const reader: Reader = {
    page,
    pageCount,
    jumps,
    open,
    arrive: setPage,
    setPageCount,
    typed,
    type(text) {
      setTyped(text)
      setPlace(undefined)
      setPassage(undefined)
    },
    problem: question?.ok === false ? question.text : error ? errorText(error) : undefined,
    hits,
    phrases: question?.ok === true ? question.phrases : NONE,
    place,
    count: hits?.count ?? 0,
    step,
    openHits: (to) =>
      goTo(hits ? hits.pages.filter((one) => one.page < to).reduce((sum, one) => sum + one.count, 0) : 0),
    passage,
    openPassage(one) {
      setPassage(one)
      open(one.page)
    },
    zoom,
    setZoom,
    file,
    setFile,
  }
  useReaderKeys(reader, () => latest.current.leave())
  return reader
}

/**
 * Reader shortcuts: arrows and page keys, `/` searches, `n` and `N` step through matches, `+`, `-` and `0` zoom, Esc
 * leaves the search box and then the document.
 */
function useReaderKeys(reader: Reader, leave: () => void): void {
  const latest = useRef({ reader, leave })
  useEffect(() => {
    latest.current = { reader, leave }
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target as HTMLElement
      const isTyping = target.matches('input, textarea, select')
      // Sheets handle keys themselves.
      if (target.closest('[role="dialog"]')) return
      if (isTyping) {
        if (event.key === 'Escape') {
          // Esc would clear a search input, and with it the matches of n and N.
          event.preventDefault()
          target.blur()
        }
        if (event.key === 'Enter') latest.current.reader.step(event.shiftKey ? -1 : 1)
        return
      }
      const { reader: now } = latest.current
      const keys: Readonly<Record<string, () => void>> = {
        ArrowRight: () => now.open(now.page + 1),
        ArrowLeft: () => now.open(now.page - 1),
        PageDown: () => now.open(now.page + 1),
        PageUp: () => now.open(now.page - 1),
        n: () => now.step(1),
        N: () => now.step(-1),
        '+': () => now.setZoom(nextZoom(now.zoom, 1)),
        '=': () => now.setZoom(nextZoom(now.zoom, 1)),
        '-': () => now.setZoom(nextZoom(now.zoom, -1)),
        '0': () => now.setZoom(1),
        '/': () => window.document.querySelector<HTMLElement>('[data-document-search]')?.focus(),
        Escape: () => latest.current.leave(),
      }
      const run = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
      if (!run) return
      event.preventDefault()
      run()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}
