import { useSyncExternalStore } from 'react'
import { createStore } from '#src/lib/store.ts'
import { preloadModalWith } from '#src/ui/overlay/modal.tsx'

export const loadExportDialog = () => import('./export-dialog.tsx')

export const preloadExport = preloadModalWith(loadExportDialog)

/** `selected`: ids to export; undefined exports the whole result. */
export type ExportPanel = { readonly isOpen: boolean; readonly selected: readonly string[] | undefined }

// Kept after closing for the exit transition.
const panel = createStore<ExportPanel | undefined>(undefined)

export function openExport(selected?: readonly string[]): void {
  panel.set({ isOpen: true, selected })
}

export function closeExport(): void {
  const current = panel.get()
  if (current) panel.set({ ...current, isOpen: false })
}

export function useExportPanel(): ExportPanel | undefined {
  return useSyncExternalStore(panel.subscribe, panel.get)
}
