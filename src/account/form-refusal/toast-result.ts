import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

/**
 * Returns mutation callbacks that show a toast on success, if `done` is given, and on failure, with the reason. A
 * pending mutation calls the callbacks of the latest render, so texts about the change must read its variables.
 */
export const toastMutationResult = <Variables>(failed: string, done?: string | ((variables: Variables) => string)) => ({
  onSuccess: (_data: unknown, variables: Variables) => {
    if (done !== undefined) showToast({ text: typeof done === 'string' ? done : done(variables), tone: 'done' })
  },
  onError: (error: unknown) => showToast({ text: `${failed} ${formatErrorMessage(error)}`, tone: 'error' }),
})
