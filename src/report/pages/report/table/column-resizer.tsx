import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { COLUMN_WIDTH_LIMITS_PX } from '#contract/catalogue/column.ts'

const STEP_PX = 16
const LONG_STEP_PX = 64

type ColumnResizerProps = {
  title: string
  width: number
  isTabStop: boolean
  onTry: (width: number | undefined) => void
  onResize: (width: number | undefined) => void
}

const clampWidth = (width: number) =>
  Math.round(Math.min(COLUMN_WIDTH_LIMITS_PX.max, Math.max(COLUMN_WIDTH_LIMITS_PX.min, width)))
/** Measures the column's width in the DOM, because the name column stretches beyond its configured width. */
const measureWidth = (handle: HTMLElement) => handle.closest('th')?.offsetWidth ?? 0

/** Resizes by dragging or arrow keys; double-click restores the default. The width is saved once, on release. */
export function ColumnResizer({ title, width, isTabStop, onTry, onResize }: ColumnResizerProps) {
  const drag = useRef<{ readonly from: number; readonly width: number }>(undefined)
  const previewWidth = useRef<number>(undefined)
  const preview = (newWidth: number | undefined) => {
    previewWidth.current = newWidth
    onTry(newWidth)
  }
  const saveWidth = () => {
    drag.current = undefined
    if (previewWidth.current === undefined) return
    onResize(previewWidth.current)
    previewWidth.current = undefined
  }
  const cancelResize = () => {
    drag.current = undefined
    preview(undefined)
  }
  const startDrag = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { from: event.clientX, width: measureWidth(event.currentTarget) || width }
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const currentWidth = previewWidth.current ?? (measureWidth(event.currentTarget) || width)
    const by = event.shiftKey ? LONG_STEP_PX : STEP_PX
    const newWidth = {
      ArrowLeft: currentWidth - by,
      ArrowRight: currentWidth + by,
      Home: COLUMN_WIDTH_LIMITS_PX.min,
      End: COLUMN_WIDTH_LIMITS_PX.max,
    }[event.key]
    if (newWidth === undefined && event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    // Stop the event, because arrow keys would otherwise also move the focus between column headers.
    event.stopPropagation()
    if (newWidth !== undefined) preview(clampWidth(newWidth))
    else if (event.key === 'Enter') onResize(undefined)
    else cancelResize()
  }
  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`ความกว้างคอลัมน์${title}`}
      aria-valuenow={Math.round(width)}
      aria-valuemin={COLUMN_WIDTH_LIMITS_PX.min}
      aria-valuemax={COLUMN_WIDTH_LIMITS_PX.max}
      aria-valuetext={`${Math.round(width)} พิกเซล`}
      title="ลากเพื่อปรับความกว้าง ดับเบิลคลิกเพื่อคืนค่าเดิม"
      tabIndex={isTabStop ? 0 : -1}
      onPointerDown={startDrag}
      onPointerMove={({ clientX }) => {
        if (drag.current && clientX !== drag.current.from)
          preview(clampWidth(drag.current.width + clientX - drag.current.from))
      }}
      onPointerUp={saveWidth}
      onPointerCancel={cancelResize}
      onDoubleClick={() => onResize(undefined)}
      onKeyDown={onKeyDown}
      onKeyUp={saveWidth}
      onBlur={saveWidth}
      className="group/edge absolute inset-y-0 -end-3 z-10 flex w-6 cursor-col-resize touch-none justify-center -outline-offset-2 touch:-end-[22px] touch:w-11"
    >
      <span
        aria-hidden
        className="h-full w-px bg-transparent group-hover/head:bg-line-strong group-hover/edge:w-0.5 group-hover/edge:bg-accent-ink! group-focus/edge:w-0.5 group-focus/edge:bg-accent-ink! group-active/edge:w-0.5 group-active/edge:bg-accent-ink!"
      />
    </span>
  )
}
