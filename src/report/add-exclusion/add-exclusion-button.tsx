import { useRef, useState } from 'react'
import { lazyPart } from '#src/ui/lazy-boundary.tsx'
import { createModalPreloader } from '#src/ui/overlay/modal.tsx'
import { TextButton } from '#src/ui/text-button.tsx'
import type { AddExclusionDialogProps } from './add-exclusion-dialog.tsx'

const ExcludeWordDialog = lazyPart(() => import('./add-exclusion-dialog.tsx'), 'AddExclusionDialog')
const preload = createModalPreloader(ExcludeWordDialog.preload)

/** Creates an exclusion word from an unwanted project and previews its effect (D7). */
export function AddExclusionButton({ row }: { row: AddExclusionDialogProps['row'] }) {
  const [word, setWord] = useState<string>()
  /** Text that the user selected on the page, read at pointer down because the click may clear the selection. */
  const marked = useRef('')
  return (
    <>
      <TextButton
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onFocus={preload}
        onPointerDown={() => {
          marked.current = selectedTextIn(row.name)
        }}
        onClick={() => setWord(marked.current)}
        className="mt-1 text-sm"
      >
        ไม่ใช่งานที่ต้องการ? เพิ่มคำไม่รวม
      </TextButton>
      {word !== undefined && <ExcludeWordDialog row={row} start={word} onClose={() => setWord(undefined)} />}
    </>
  )
}

function selectedTextIn(name: string): string {
  const text = window.getSelection()?.toString().trim() ?? ''
  return name.includes(text) ? text : ''
}
