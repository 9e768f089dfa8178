import { useSyncExternalStore } from 'react'
import { createStore } from '#src/lib/store.ts'
import { preloadModalWith } from '#src/ui/overlay/modal.tsx'

export const loadExportDialog = () => import('./export-dialog.tsx')

export const preloadExport = preloadModalWith(loadExportDialog)

/** State of the export dialog. `selected`: ids to export; undefined exports the whole result. */
export type ExportPanel = { readonly isOpen: boolean; readonly selected: readonly string[] | undefined }

// Retained after closing for the exit transition.
const panel = createStore<ExportPanel | undefined>(undefined)

export function openExport(selected?: readonly string[]): void {
  panel.set({ isOpen: true, selected })
}

export function closeExport(): void {
  const last = panel.get()
  if (last) panel.set({ ...last, isOpen: false })
}

/** Undefined until first opened. */
export function useExportPanel(): ExportPanel | undefined {
  return useSyncExternalStore(panel.subscribe, panel.get)
}
