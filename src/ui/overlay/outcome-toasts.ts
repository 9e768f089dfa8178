import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { showToast } from './toast.ts'

export const showDoneToast = (text: string, undo?: () => void): void =>
  showToast({ tone: 'done', text, ...(undo && { action: { label: 'เลิกทำ', run: undo } }) })

export const showFailureToast = (text: string, error: unknown, retry?: () => void): void =>
  showToast({
    tone: 'error',
    text: `${text} ${formatErrorMessage(error)}`,
    ...(retry && { action: { label: 'ลองใหม่', run: retry } }),
  })

/** A pending mutation calls the callbacks of the latest render, so texts about the change must read its variables. */
export const toastMutationResult = <Variables>(failed: string, done?: string | ((variables: Variables) => string)) => ({
  onSuccess: (_data: unknown, variables: Variables) => {
    if (done !== undefined) showDoneToast(typeof done === 'string' ? done : done(variables))
  },
  onError: (error: unknown) => showFailureToast(failed, error),
})
