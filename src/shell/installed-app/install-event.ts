import { createExternalStore } from '#src/lib/store.ts'

/**
 * The `beforeinstallprompt` event of Chromium, with which the page can show its own install button. The event can be
 * used only once.
 */
type InstallEvent = Event & { prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }> }

export const installPromptEventStore = createExternalStore<InstallEvent | undefined>(undefined)

export function captureInstallPromptEvent(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installPromptEventStore.set(event as InstallEvent)
  })
}
