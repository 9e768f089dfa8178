import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { showToast } from '#src/ui/overlay/toast.ts'

/**
 * Mutation callbacks that report success, if `done` is given, and failure with its reason in a toast. A pending mutation
 * gets the callbacks of the latest render, so texts about what it changes must read its variables.
 */
export const toastMutationResult = <Variables>(failed: string, done?: string | ((variables: Variables) => string)) => ({
  onSuccess: (_data: unknown, variables: Variables) => {
    if (done !== undefined) showToast({ text: typeof done === 'string' ? done : done(variables), tone: 'done' })
  },
  onError: (error: unknown) => showToast({ text: `${failed} ${formatErrorMessage(error)}`, tone: 'error' }),
})
