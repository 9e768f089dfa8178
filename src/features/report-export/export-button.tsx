import { Download } from 'lucide-react'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { openExport } from './export-panel.ts'
import { preloadExport } from './load-export-dialog.ts'

/** Opens the dialog of exports for the whole result; an icon on a phone. */
export function ExportButton() {
  const shared = {
    onPointerEnter: preloadExport,
    onFocus: preloadExport,
    onClick: () => openExport(),
    'aria-haspopup': 'dialog' as const,
  }
  return (
    <>
      <Button icon={Download} {...shared} className="max-md:hidden">
        ส่งออก
      </Button>
      <IconButton icon={Download} label="ส่งออก" {...shared} className="md:hidden" />
    </>
  )
}
