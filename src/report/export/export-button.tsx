import { Download } from 'lucide-react'
import { useEffect } from 'react'
import type { User } from '#contract/account/user.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { IconButton } from '#src/ui/icon-button.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import {
  closeReportExportPanel,
  LazyReportExportDialog,
  openReportExportPanel,
  preloadReportExportDialog,
  useReportExportPanel,
} from './export-panel.ts'

export type ReportExportSource = { readonly search: ReportSearch; readonly total: number; readonly user: User }

/** Host of the export dialog. Render it once per page. */
export function ReportExportDialogHost(source: ReportExportSource) {
  const panel = useReportExportPanel()
  useEffect(() => closeReportExportPanel, [])
  return <LazyBoundary>{panel && <LazyReportExportDialog {...source} panel={panel} />}</LazyBoundary>
}

export function ReportExportButton() {
  return (
    <IconButton
      icon={Download}
      label="ส่งออก"
      aria-haspopup="dialog"
      onPointerEnter={preloadReportExportDialog}
      onFocus={preloadReportExportDialog}
      onClick={() => openReportExportPanel()}
    />
  )
}
