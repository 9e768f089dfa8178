import { lazyComponent } from '#src/lib/lazy-component.ts'
import { createExternalStore } from '#src/lib/store.ts'
import { createModalPreloader } from '#src/ui/overlay/modal.tsx'

export const LazyReportExportDialog = lazyComponent(() => import('./export-dialog.tsx'), 'ReportExportDialog')

export const preloadReportExportDialog = createModalPreloader(LazyReportExportDialog.preload)

/** `selected`: ids to export; undefined exports the whole result. */
export type ReportExportPanelState = { readonly isOpen: boolean; readonly selected: readonly string[] | undefined }

// The panel's state is not cleared on close, because the dialog still renders it during the exit transition.
const panel = createExternalStore<ReportExportPanelState | undefined>(undefined)

export function openReportExportPanel(selected?: readonly string[]): void {
  panel.set({ isOpen: true, selected })
}

export function closeReportExportPanel(): void {
  const current = panel.get()
  if (current) panel.set({ ...current, isOpen: false })
}

export function useReportExportPanel(): ReportExportPanelState | undefined {
  return panel.useValue()
}
