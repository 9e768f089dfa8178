import { showToast } from './toast.ts'

export const copyWithToast = (text: string, done: string, failed: string): Promise<void> =>
  navigator.clipboard.writeText(text).then(
    () => showToast({ tone: 'done', text: done }),
    () => showToast({ tone: 'error', text: failed }),
  )
