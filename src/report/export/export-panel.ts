import { useSyncExternalStore } from 'react'
import { createStore } from '#src/lib/store.ts'
import { createModalPreloader } from '#src/ui/overlay/modal.tsx'

export const loadExportDialog = () => import('./export-dialog.tsx')

export const preloadExportDialog = createModalPreloader(loadExportDialog)

/** `selected`: ids to export; undefined exports the whole result. */
export type ExportPanelState = { readonly isOpen: boolean; readonly selected: readonly string[] | undefined }

// Not cleared on close, because the exit transition still renders it.
const panel = createStore<ExportPanelState | undefined>(undefined)

export function openExportPanel(selected?: readonly string[]): void {
  panel.set({ isOpen: true, selected })
}

export function closeExportPanel(): void {
  const current = panel.get()
  if (current) panel.set({ ...current, isOpen: false })
}

export function useExportPanel(): ExportPanelState | undefined {
  return useSyncExternalStore(panel.subscribe, panel.get)
}
