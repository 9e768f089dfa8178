import { createExternalStore } from '#src/lib/store.ts'

/** Chromium's `beforeinstallprompt`, for an install button of our own. It can be used only once. */
type InstallEvent = Event & { prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }> }

export const installPromptEventStore = createExternalStore<InstallEvent | undefined>(undefined)

export function captureInstallPromptEvent(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installPromptEventStore.set(event as InstallEvent)
  })
}
