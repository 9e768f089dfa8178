import { Download } from 'lucide-react'
import { useEffect } from 'react'
import type { User } from '#contract/account/user.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { closeExport, loadExportDialog, openExport, preloadExport, useExportPanel } from './export-panel.ts'

const ExportDialog = lazyComponent(loadExportDialog, 'ExportDialog')

/** What is exported: the result of a search with the columns of a user. */
export type ExportSource = { readonly search: ReportSearch; readonly total: number; readonly user: User }

/** Where the dialog of exports is drawn; stands once on a page that uses it. */
export function ExportHost(source: ExportSource) {
  const panel = useExportPanel()
  useEffect(() => closeExport, [])
  return <LazyBoundary>{panel && <ExportDialog {...source} panel={panel} />}</LazyBoundary>
}

/** Opens the dialog of exports for the whole result. */
export function ExportButton() {
  return (
    <IconButton
      icon={Download}
      label="ส่งออก"
      aria-haspopup="dialog"
      onPointerEnter={preloadExport}
      onFocus={preloadExport}
      onClick={() => openExport()}
    />
  )
}
