import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { showToast } from './toast.ts'

export const showDoneToast = (text: string, undo?: () => void): void =>
  showToast({ tone: 'done', text, ...(undo && { action: { label: 'เลิกทำ', run: undo } }) })

/** Shows what failed and why. */
export const showFailureToast = (text: string, error: unknown, retry?: () => void): void =>
  showToast({
    tone: 'error',
    text: `${text} ${formatErrorMessage(error)}`,
    ...(retry && { action: { label: 'ลองใหม่', run: retry } }),
  })
