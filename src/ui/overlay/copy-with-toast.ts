import { showToast } from './toast.ts'

type CopyToastOptions = { retry?: () => void; key?: unknown }

/** Copies the text and shows the result. `retry` becomes an action of the failure toast. */
export async function copyWithToast(
  text: string,
  done: string,
  failed: string,
  { retry, key }: CopyToastOptions = {},
): Promise<void> {
  try {
    // Throws at once where the page is served without https, because `clipboard` is then undefined.
    await navigator.clipboard.writeText(text)
    showToast({ tone: 'done', text: done, key })
  } catch {
    showToast({ tone: 'error', text: failed, key, ...(retry && { action: { label: 'ลองใหม่', run: retry } }) })
  }
}
