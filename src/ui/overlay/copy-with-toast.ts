import { showToast } from './toast.ts'

export async function copyWithToast(text: string, done: string, failed: string): Promise<void> {
  try {
    // Throws at once where the page is served without https, because `clipboard` is then undefined.
    await navigator.clipboard.writeText(text)
    showToast({ tone: 'done', text: done })
  } catch {
    showToast({ tone: 'error', text: failed })
  }
}
