import { BookmarkPlus, Save } from 'lucide-react'
import { MAX_SAVED_FILTERS } from '#contract/account/saved-filter.ts'
import { Button } from '#src/ui/button.tsx'
import { preloadModal } from '#src/ui/overlay/modal.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { updateSavedFilter } from './saved-filter-changes.ts'
import type { SavedFilterContext } from './saved-filter-context.ts'

export function getSaveFilterDisabledReason({ filters, view }: SavedFilterContext): string | undefined {
  if (!view.isFiltered) return 'ยังไม่ได้กรอง เลือกตัวกรองหรือพิมพ์คำค้นก่อน แล้วจึงบันทึก'
  if (view.filter && !view.isModified) return `บันทึกไว้แล้วในชื่อ “${view.filter.filterName}”`
  if (filters.length >= MAX_SAVED_FILTERS) return `บันทึกครบ ${MAX_SAVED_FILTERS} ตัวกรองแล้ว ลบตัวที่ไม่ใช้ก่อน`
  return undefined
}

export function SaveFilterButton({ context }: { context: SavedFilterContext }) {
  const { view, search, start } = context
  const { filter, isModified, isFiltered } = view
  // Never overwrite a colleague's filter; save the changes as a new filter instead.
  if (filter && filter.owner === undefined && isModified && isFiltered) {
    return (
      <Button
        variant="link"
        size="sm"
        icon={Save}
        title={`บันทึกทับ “${filter.filterName}”`}
        onClick={() => updateSavedFilter(filter, search)}
      >
        บันทึกทับ
      </Button>
    )
  }
  if (!isFiltered || (filter && !isModified)) return null
  const reason = getSaveFilterDisabledReason(context)
  return (
    <Button
      variant="link"
      size="sm"
      icon={BookmarkPlus}
      onPointerEnter={preloadModal}
      onClick={() => (reason ? showToast({ tone: 'error', text: reason }) : start({ kind: 'save' }))}
    >
      บันทึกตัวกรอง
    </Button>
  )
}
