import { createStore } from '#src/lib/store.ts'

/** The `beforeinstallprompt` event of Chromium: lets the page show its own install button. It can be used only once. */
type InstallEvent = Event & { prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }> }

export const installEvent = createStore<InstallEvent | undefined>(undefined)

export function captureInstallEvent(): void {
  window.addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    installEvent.set(event as InstallEvent)
  })
}
