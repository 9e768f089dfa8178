import { lazy, Suspense, useRef, useState } from 'react'
import type { ReportRow } from '#contract/report.ts'
import { BUILT_SCREENS } from '#src/features/navigation/screens.ts'
import { preloadModal } from '#src/ui/modal.tsx'

const load = () => import('./exclude-word-dialog.tsx')
const ExcludeWordDialog = lazy(() => load().then((module) => ({ default: module.ExcludeWordDialog })))
const preload = () => {
  preloadModal()
  void load().catch(() => undefined)
}

/** From a project that should not be here to an exclusion word, with its effect before it is saved (D7). */
export function ExcludeWordButton({ row }: { row: ReportRow }) {
  const [word, setWord] = useState<string>()
  /** What is marked in the name when the button goes down: pressing may take the mark away. */
  const marked = useRef('')
  if (!BUILT_SCREENS.has('/watch')) return null
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onFocus={preload}
        onPointerDown={() => {
          marked.current = markedIn(row.name)
        }}
        onClick={() => setWord(marked.current)}
        className="mt-1 rounded-control text-sm text-accent-ink hover:underline touch:min-h-11"
      >
        ไม่ใช่งานที่ต้องการ? เพิ่มคำไม่รวม
      </button>
      {word !== undefined && (
        <Suspense fallback={null}>
          <ExcludeWordDialog row={row} start={word} onClose={() => setWord(undefined)} />
        </Suspense>
      )}
    </>
  )
}

function markedIn(name: string): string {
  const text = window.getSelection()?.toString().trim() ?? ''
  return name.includes(text) ? text : ''
}
