import { showToast } from './toast.ts'

/** Copies a text and reports the result in a toast. */
export async function copyText(text: string, done: string, failed: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    showToast({ text: done, tone: 'done' })
  } catch {
    showToast({ text: failed, tone: 'error' })
  }
}
