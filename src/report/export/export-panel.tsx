import { useEffect } from 'react'
import type { User } from '#contract/account/user.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { createExternalStore } from '#src/lib/store.ts'
import { lazyPart } from '#src/ui/lazy-boundary.tsx'
import { createModalPreloader } from '#src/ui/overlay/modal.tsx'

const ReportExportDialog = lazyPart(() => import('./export-dialog.tsx'), 'ReportExportDialog')

export const preloadReportExportDialog = createModalPreloader(ReportExportDialog.preload)

/** Ids to export, or `all` for the whole result; undefined while the panel is closed. */
const panelStore = createExternalStore<readonly string[] | 'all' | undefined>(undefined)

export const openReportExportPanel = (selected: readonly string[] | 'all' = 'all'): void => panelStore.set(selected)

export const closeReportExportPanel = (): void => panelStore.set(undefined)

export type ReportExportSource = { readonly search: ReportSearch; readonly total: number; readonly user: User }

/** Host of the export dialog. Render it once per page. */
export function ReportExportDialogHost(source: ReportExportSource) {
  const selected = panelStore.useValue()
  useEffect(() => closeReportExportPanel, [])
  return selected && <ReportExportDialog source={source} selected={selected === 'all' ? undefined : selected} />
}
