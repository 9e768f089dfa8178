import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'

/** A row to draw, by its place in the page, and where it stands in the height of all, px. */
type PlacedRow = { readonly index: number; readonly start: number; readonly end: number }

export type RowWindow = {
  readonly placed: readonly PlacedRow[]
  /** Of all rows of the page, px. */
  readonly height: number
}

export type MeasureRow = (row: HTMLTableRowElement | null) => void

const loadVirtualRows = () => import('./virtual-rows.tsx').then((module) => module.VirtualRows)
type VirtualRows = Awaited<ReturnType<typeof loadVirtualRows>>

type RowWindowOptions = {
  region: RefObject<HTMLElement | null>
  /** Projects of the page, in order. */
  ids: readonly string[]
  /** Place of the row that Tab comes to: always drawn. */
  stop: number
  /** Height of a row before it is measured, px. */
  estimate: number
  load?: () => Promise<VirtualRows>
}

/**
 * Which rows of the page are drawn: at first those that fill a window, and from the first scroll on those in sight. What
 * follows the scrolling weighs 11 kB and is loaded once rows are drawn; should that fail, the page is drawn whole.
 */
export function useRowWindow({ region, ids, stop, estimate, load = loadVirtualRows }: RowWindowOptions) {
  const [Virtual, setVirtual] = useState<VirtualRows>()
  const [hasFailed, setFailed] = useState(false)
  const [inSight, setInSight] = useState<RowWindow>()
  const measurer = useRef<MeasureRow>(undefined)
  const loadOnce = useRef(load)
  useEffect(() => {
    loadOnce
      .current()
      .then((part) => setVirtual(() => part))
      .catch((error: unknown) => {
        console.warn('All rows of the page are drawn: the part that follows the scrolling could not be loaded', error)
        setFailed(true)
      })
  }, [])
  /** The same function all along, so that no row is redrawn when its listener arrives. */
  const measure = useCallback<MeasureRow>((row) => measurer.current?.(row), [])
  // By their places and not by what stands there: another result is drawn at once where the one before was.
  const show = useCallback((next: RowWindow) => setInSight((last) => (last && isSame(last, next) ? last : next)), [])
  const follower: ReactNode = Virtual && (
    <Virtual region={region} ids={ids} stop={stop} estimate={estimate} measurer={measurer} onWindow={show} />
  )
  const rowWindow = hasFailed
    ? wholePage(ids)
    : inSight
      ? withTabStop(inSight, stop, estimate)
      : firstRows(ids, stop, estimate)
  return { ...rowWindow, measure, follower }
}

/** All rows. */
function wholePage(ids: readonly string[]): RowWindow {
  return { placed: ids.map((_, index) => ({ index, start: 0, end: 0 })), height: 0 }
}

/** As many rows as a window of this height can show, and the one that Tab comes to. */
function firstRows(ids: readonly string[], stop: number, estimate: number): RowWindow {
  const count = Math.ceil(window.innerHeight / estimate)
  const placed = ids
    .map((_, index) => ({ index, start: index * estimate, end: (index + 1) * estimate }))
    .filter(({ index }) => index < count || index === stop)
  return { placed, height: ids.length * estimate }
}

function isSame(a: RowWindow, b: RowWindow): boolean {
  return (
    a.height === b.height &&
    a.placed.length === b.placed.length &&
    a.placed.every(({ index, start, end }, at) => {
      const other = b.placed[at]!
      return index === other.index && start === other.start && end === other.end
    })
  )
}

/** With the row that Tab comes to, which may have moved to another place with its focus. */
function withTabStop(inSight: RowWindow, stop: number, estimate: number): RowWindow {
  if (inSight.placed.some(({ index }) => index === stop)) return inSight
  const row = { index: stop, start: stop * estimate, end: (stop + 1) * estimate }
  return { ...inSight, placed: [...inSight.placed, row].sort((a, b) => a.index - b.index) }
}
