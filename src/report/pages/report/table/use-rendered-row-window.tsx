import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'

type PlacedRow = { readonly index: number; readonly start: number; readonly end: number }

export type RenderedRowWindow = {
  readonly placed: readonly PlacedRow[]
  readonly height: number
}

export type RowMeasurer = (row: HTMLTableRowElement | null) => void

const loadVirtualRows = () => import('./virtual-rows.tsx').then((module) => module.VirtualRows)
type VirtualRows = Awaited<ReturnType<typeof loadVirtualRows>>

type RowWindowOptions = {
  region: RefObject<HTMLElement | null>
  ids: readonly string[]
  stop: number
  estimate: number
  load?: () => Promise<VirtualRows>
}

/**
 * Chooses the rows to render: at first those that fill the region, and once the user scrolls those in view. The
 * virtualizer (11 kB) is loaded after the rows; if that fails, all rows are rendered.
 */
export function useRenderedRowWindow({ region, ids, stop, estimate, load = loadVirtualRows }: RowWindowOptions) {
  const [Virtual, setVirtual] = useState<VirtualRows>()
  const [hasFailed, setFailed] = useState(false)
  const [visibleWindow, setInSight] = useState<RenderedRowWindow>()
  const measurer = useRef<RowMeasurer>(undefined)
  const loadOnce = useRef(load)
  useEffect(() => {
    loadOnce
      .current()
      .then((component) => setVirtual(() => component))
      .catch((error: unknown) => {
        console.warn('The virtualizer could not be loaded: rendering all rows of the page', error)
        setFailed(true)
      })
  }, [])
  const measure = useCallback<RowMeasurer>((row) => measurer.current?.(row), [])
  // Windows are compared by index rather than by content, so that a new result at the same position renders at once.
  const show = useCallback(
    (newWindow: RenderedRowWindow) =>
      setInSight((previous) => (previous && isSameWindow(previous, newWindow) ? previous : newWindow)),
    [],
  )
  const follower: ReactNode = Virtual && (
    <Virtual region={region} ids={ids} stop={stop} estimate={estimate} measurer={measurer} onWindow={show} />
  )
  const rowWindow = hasFailed
    ? windowOfAllRows(ids)
    : visibleWindow
      ? withTabStop(visibleWindow, stop, estimate)
      : initialWindow(ids, stop, estimate)
  return { ...rowWindow, measure, follower }
}

function windowOfAllRows(ids: readonly string[]): RenderedRowWindow {
  return { placed: ids.map((_, index) => ({ index, start: 0, end: 0 })), height: 0 }
}

function initialWindow(ids: readonly string[], stop: number, estimate: number): RenderedRowWindow {
  const count = Math.ceil(window.innerHeight / estimate)
  const placed = ids
    .map((_, index) => ({ index, start: index * estimate, end: (index + 1) * estimate }))
    .filter(({ index }) => index < count || index === stop)
  return { placed, height: ids.length * estimate }
}

function isSameWindow(a: RenderedRowWindow, b: RenderedRowWindow): boolean {
  return (
    a.height === b.height &&
    a.placed.length === b.placed.length &&
    a.placed.every(({ index, start, end }, at) => {
      const otherRow = b.placed[at]!
      return index === otherRow.index && start === otherRow.start && end === otherRow.end
    })
  )
}

function withTabStop(inSight: RenderedRowWindow, stop: number, estimate: number): RenderedRowWindow {
  if (inSight.placed.some(({ index }) => index === stop)) return inSight
  const row = { index: stop, start: stop * estimate, end: (stop + 1) * estimate }
  return { ...inSight, placed: [...inSight.placed, row].sort((a, b) => a.index - b.index) }
}
