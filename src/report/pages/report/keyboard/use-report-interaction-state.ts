import { type RouterHistory, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ReportPageResponse, ReportRow } from '#contract/report/report.ts'
import { formatReportSearch, type ReportSearch } from '#contract/report/report-params.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { pickReportFilters } from '#src/lib/report-url.ts'
import { useReportSelection } from '#src/report/selection/use-report-selection.ts'

/** Maps the history key of a list to the project last opened from it, so that Back returns to the same row. */
const openedProjects = new Map<string | undefined, string>()

const placeOf = ({ location }: RouterHistory) => location.state.__TSR_key

export function saveReportCursor(history: RouterHistory, projectId: string): void {
  openedProjects.set(placeOf(history), projectId)
}

export function getSavedReportCursor(history: RouterHistory): string | undefined {
  return openedProjects.get(placeOf(history))
}

export type ReportTableHandle = {
  readonly focusRow: (projectId: string) => void
  readonly getRow: (projectId: string) => HTMLElement | undefined
  /** Selects the row and makes it the anchor of a Shift range. */
  readonly selectRow: (projectId: string, selected: boolean) => void
}

/** Debounces URL updates while stepping through rows, because browsers reject hundreds of history writes in a row. */
const DEBOUNCE_MS = 200

function usePeek(inAddress: string | undefined, change: ChangeReportSearchFn) {
  const { history } = useRouter()
  const [pendingId, setPendingId] = useState<string>()
  const [lastId, setLastId] = useState(inAddress)
  if (lastId !== inAddress) {
    setLastId(inAddress)
    setPendingId(undefined)
  }
  const writePending = useEffectEvent((newId: string) => change({ peek: newId }, 'replace'))
  useEffect(() => {
    if (pendingId === undefined) return
    const timer = setTimeout(() => writePending(pendingId), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [pendingId])
  const openedIndex = useRef<number>(undefined)

  const id = inAddress === undefined ? undefined : (pendingId ?? inAddress)
  const follow = (newId: string) => {
    if (id !== undefined && id !== newId) setPendingId(newId)
  }
  return {
    id,
    follow,
    open: (newId: string) => {
      if (id !== undefined) return follow(newId)
      openedIndex.current = history.location.state.__TSR_index + 1
      change({ peek: newId })
    },
    close: () => {
      setPendingId(undefined)
      if (id === undefined) return
      // Go back instead of pushing, so that closing the panel leaves no dead history entry.
      if (openedIndex.current === history.location.state.__TSR_index) history.back()
      else change({ peek: undefined }, 'replace')
      openedIndex.current = undefined
    },
  }
}

export type ReportInteractionState = ReturnType<typeof useReportInteractionState>

type ToolsOptions = {
  search: ReportSearch
  change: ChangeReportSearchFn
  page: ReportPageResponse | undefined
  rows: readonly ReportRow[]
}

/** Returns the UI state of the report: cursor, selection and panel. The code that changes it is lazy-loaded. */
export function useReportInteractionState({ search, change, page, rows }: ToolsOptions) {
  const selection = useReportSelection(JSON.stringify(formatReportSearch(pickReportFilters(search))), rows)
  const peek = usePeek(search.peek, change)
  const { history } = useRouter()
  const [cursor, setCursor] = useState(() => getSavedReportCursor(history))
  const [help, showHelp] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  const table = useRef<ReportTableHandle>(null)
  const arriveAt = useRef<'first' | 'last'>(undefined)
  const { follow } = peek
  const setCurrent = (id: string) => {
    setCursor(id)
    follow(id)
  }
  return {
    rows,
    page,
    change,
    current: cursor ?? (rows.some((row) => row.project_id === peek.id) ? peek.id : undefined),
    setCurrent,
    table,
    selection,
    peek,
    arriveAt,
    // Screen readers skip a text that is equal to the previous one, so append a no-break space.
    announce: (text: string) => setAnnouncement((before) => (before === text && text !== '' ? `${text}\u00A0` : text)),
    announcement,
    help,
    showHelp,
  }
}
