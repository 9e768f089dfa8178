import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { mergeColumnSettings } from '#contract/catalogue/column.ts'
import { REPORT_COLUMNS } from '#contract/catalogue/report-columns.ts'
import { useUser } from '#src/account/api/users.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { createModalPreloader } from '#src/ui/overlay/modal.tsx'

const ColumnsDialog = lazyComponent(() => import('./columns-dialog.tsx'), 'ReportColumnsDialog')
const preload = createModalPreloader(ColumnsDialog.preload)

export function ReportColumnsButton() {
  const { customize_report_table: settings } = useUser()
  const layout = mergeColumnSettings(settings)
  const [open, setOpen] = useState(false)
  /** Key of the dialog, so that each opening starts from the stored layout. */
  const [openCount, setOpenCount] = useState(0)
  const totalCount = REPORT_COLUMNS.length
  const visibleCount = totalCount - layout.hidden.size
  return (
    <>
      <IconButton
        icon={Columns3}
        label={`คอลัมน์ ${visibleCount}/${totalCount}`}
        aria-haspopup="dialog"
        onPointerEnter={preload}
        onFocus={preload}
        onClick={() => {
          setOpenCount(openCount + 1)
          setOpen(true)
        }}
      />
      {openCount > 0 && (
        <LazyBoundary>
          <ColumnsDialog key={openCount} open={open} layout={layout} onClose={() => setOpen(false)} />
        </LazyBoundary>
      )}
    </>
  )
}
