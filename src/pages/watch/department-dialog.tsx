import { useMemo } from 'react'
import { keywordKey } from '#contract/keyword.ts'
import { addWords } from '#src/features/keywords/keyword-changes.ts'
import { usageOf } from '#src/features/keywords/list-looks.ts'
import type { WatchTools } from '#src/features/keywords/watch-tools.ts'
import { lazyPart } from '#src/lib/lazy-part.ts'
import { Modal } from '#src/ui/modal.tsx'
import { Part } from '#src/ui/part.tsx'

const DepartmentPicker = lazyPart(() => import('#src/features/departments/department-picker.tsx'), 'DepartmentPicker')

type DepartmentDialogProps = { open: boolean; onClose: () => void; tools: WatchTools }

/** The master list of departments, to be watched. */
export function DepartmentDialog({ open, onClose, tools }: DepartmentDialogProps) {
  const words = tools.organisation.deptsub_include
  const watched = useMemo(() => new Set(words.map(({ word }) => keywordKey(word))), [words])
  const add = async (names: string[]) => {
    const result = await addWords(names.map((word) => ({ list: 'deptsub_include', entry: { word } })))
    // What the demo refuses has been said.
    if (!result.ok && result.error !== undefined) throw result.error
    onClose()
  }
  return (
    <Modal open={open} onClose={onClose} title="เลือกหน่วยงานที่ติดตาม" className="sm:max-w-2xl!">
      <div className="px-4 pb-4">
        <Part fallback={<div className="h-96" />}>
          <DepartmentPicker
            watched={watched}
            remaining={tools.isLocked ? 0 : usageOf(tools.organisation, 'deptsub_include').left}
            onAdd={add}
          />
        </Part>
      </div>
    </Modal>
  )
}
