import { useSyncExternalStore } from 'react'
import { createStore } from '#src/lib/store.ts'
import { preloadModalWith } from '#src/ui/overlay/modal.tsx'

export const loadExportDialog = () => import('./export-dialog.tsx')

/** Loads the dialog ahead, e.g. when the pointer enters a button that opens it. */
export const preloadExport = preloadModalWith(loadExportDialog)

/** The dialog of exports. `selected`: the projects that were chosen; undefined: the whole result. */
export type ExportPanel = { readonly isOpen: boolean; readonly selected: readonly string[] | undefined }

// It stays after closing, so that the dialog can leave as dialogs do.
const panel = createStore<ExportPanel | undefined>(undefined)

/** Opens the dialog in which a file of the report is asked for and fetched. */
export function openExport(selected?: readonly string[]): void {
  panel.set({ isOpen: true, selected })
}

export function closeExport(): void {
  const last = panel.get()
  if (last) panel.set({ ...last, isOpen: false })
}

/** Undefined until it was opened once. */
export function useExportPanel(): ExportPanel | undefined {
  return useSyncExternalStore(panel.subscribe, panel.get)
}
