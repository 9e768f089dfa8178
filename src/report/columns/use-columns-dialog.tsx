import { useState } from 'react'
import { mergeColumnSettings } from '#contract/catalogue/column.ts'
import { REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import { useUser } from '#src/account/api/users.ts'
import { lazyPart } from '#src/ui/lazy-boundary.tsx'
import { createModalPreloader } from '#src/ui/overlay/modal.tsx'

const ColumnsDialog = lazyPart(() => import('./columns-dialog.tsx'), 'ReportColumnsDialog')
export const preloadColumnsDialog = createModalPreloader(ColumnsDialog.preload)

export function useColumnsDialog() {
  const { customize_report_table: settings } = useUser()
  const layout = mergeColumnSettings(settings)
  const [isOpen, setOpen] = useState(false)
  const totalCount = REPORT_COLUMNS.length
  return {
    /** Number of visible columns of all, e.g. `25/29`. */
    visible: `${totalCount - layout.hidden.size}/${totalCount}`,
    open: () => setOpen(true),
    dialog: isOpen && <ColumnsDialog layout={layout} onClose={() => setOpen(false)} />,
  }
}
