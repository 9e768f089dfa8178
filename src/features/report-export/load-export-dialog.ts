import { preloadModal } from '#src/ui/overlay/modal.tsx'

export const loadExportDialog = () => import('./export-dialog.tsx')

/** Loads the dialog ahead, e.g. when the pointer enters a button that opens it. */
export function preloadExport(): void {
  preloadModal()
  loadExportDialog().catch(() => undefined)
}
