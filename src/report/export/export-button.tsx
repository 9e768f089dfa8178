import { Download } from 'lucide-react'
import { useEffect } from 'react'
import type { User } from '#contract/account/user.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import {
  closeExportPanel,
  loadExportDialog,
  openExportPanel,
  preloadExportDialog,
  useExportPanel,
} from './export-panel.ts'

const ExportDialog = lazyComponent(loadExportDialog, 'ExportDialog')

export type ExportSource = { readonly search: ReportSearch; readonly total: number; readonly user: User }

/** Hosts the export dialog. Render it once per page. */
export function ExportDialogHost(source: ExportSource) {
  const panel = useExportPanel()
  useEffect(() => closeExportPanel, [])
  return <LazyBoundary>{panel && <ExportDialog {...source} panel={panel} />}</LazyBoundary>
}

export function ExportButton() {
  return (
    <IconButton
      icon={Download}
      label="ส่งออก"
      aria-haspopup="dialog"
      onPointerEnter={preloadExportDialog}
      onFocus={preloadExportDialog}
      onClick={() => openExportPanel()}
    />
  )
}
