import { Modal } from '#src/ui/modal.tsx'
import { ManageFilters } from './manage-filters.tsx'
import { RenameFilterForm } from './rename-filter-form.tsx'
import { SaveFilterForm } from './save-filter-form.tsx'
import type { FilterDialogContext, FilterTask } from './saved-filter-context.ts'

type FilterDialogsProps = {
  context: FilterDialogContext
  /** The dialog that is open, or was open last, while it leaves. */
  task: FilterTask
  open: boolean
  onClose: () => void
}

const TITLES = { save: 'บันทึกตัวกรอง', rename: 'เปลี่ยนชื่อตัวกรอง', manage: 'ตัวกรองที่บันทึก' } as const

/** The dialogs of the saved filters; loaded when the first of them opens. */
export function FilterDialogs({ context, task, open, onClose }: FilterDialogsProps) {
  return (
    <Modal open={open} onClose={onClose} title={TITLES[task.kind]}>
      {task.kind === 'save' && <SaveFilterForm context={context} onDone={onClose} />}
      {task.kind === 'rename' && <RenameFilterForm context={context} id={task.id} onDone={onClose} />}
      {task.kind === 'manage' && <ManageFilters context={context} onDone={onClose} />}
    </Modal>
  )
}
