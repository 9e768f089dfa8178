import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { COLUMN_WIDTH } from '#contract/catalogue/column.ts'

const STEP = 16
const LONG_STEP = 64

type ColumnResizerProps = {
  title: string
  width: number
  isTabStop: boolean
  /** Previews a width; undefined reverts it. */
  onTry: (width: number | undefined) => void
  /** Saves a width; undefined restores the default. */
  onResize: (width: number | undefined) => void
}

const within = (width: number) => Math.round(Math.min(COLUMN_WIDTH.max, Math.max(COLUMN_WIDTH.min, width)))
/** The name column stretches, so measure the DOM. */
const drawnWidth = (handle: HTMLElement) => handle.closest('th')?.offsetWidth ?? 0

/** Resize handle: drag, double-click for the default, or arrow keys. The width is saved once, on release. */
export function ColumnResizer({ title, width, isTabStop, onTry, onResize }: ColumnResizerProps) {
  const drag = useRef<{ readonly from: number; readonly width: number }>(undefined)
  const tried = useRef<number>(undefined)
  const tryWidth = (next: number | undefined) => {
    tried.current = next
    onTry(next)
  }
  const keep = () => {
    drag.current = undefined
    if (tried.current === undefined) return
    onResize(tried.current)
    tried.current = undefined
  }
  const giveUp = () => {
    drag.current = undefined
    tryWidth(undefined)
  }
  const startDrag = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { from: event.clientX, width: drawnWidth(event.currentTarget) || width }
  }
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const now = tried.current ?? (drawnWidth(event.currentTarget) || width)
    const by = event.shiftKey ? LONG_STEP : STEP
    const next = { ArrowLeft: now - by, ArrowRight: now + by, Home: COLUMN_WIDTH.min, End: COLUMN_WIDTH.max }[event.key]
    if (next === undefined && event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    // The header's arrow keys would move between columns.
    event.stopPropagation()
    if (next !== undefined) tryWidth(within(next))
    else if (event.key === 'Enter') onResize(undefined)
    else giveUp()
  }
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`ความกว้างคอลัมน์${title}`}
      aria-valuenow={Math.round(width)}
      aria-valuemin={COLUMN_WIDTH.min}
      aria-valuemax={COLUMN_WIDTH.max}
      aria-valuetext={`${Math.round(width)} พิกเซล`}
      title="ลากเพื่อปรับความกว้าง ดับเบิลคลิกเพื่อคืนค่าเดิม"
      tabIndex={isTabStop ? 0 : -1}
      onPointerDown={startDrag}
      onPointerMove={({ clientX }) => {
        if (drag.current && clientX !== drag.current.from)
          tryWidth(within(drag.current.width + clientX - drag.current.from))
      }}
      onPointerUp={keep}
      onPointerCancel={giveUp}
      onDoubleClick={() => onResize(undefined)}
      onKeyDown={step}
      onKeyUp={keep}
      onBlur={keep}
      className="group/edge absolute inset-y-0 -end-3 z-10 flex w-6 cursor-col-resize touch-none justify-center -outline-offset-2 touch:-end-[22px] touch:w-11"
    >
      <span
        aria-hidden
        className="h-full w-px bg-transparent group-hover/head:bg-line-strong group-hover/edge:w-0.5 group-hover/edge:bg-accent-ink! group-focus/edge:w-0.5 group-focus/edge:bg-accent-ink! group-active/edge:w-0.5 group-active/edge:bg-accent-ink!"
      />
    </span>
  )
}
