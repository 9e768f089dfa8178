import { showErrorToast, showSuccessToast } from '#src/ui/overlay/result-toasts.ts'

/**
 * Returns mutation callbacks that show a toast on success, if `done` is given, and on failure, with the reason. A
 * pending mutation calls the callbacks of the latest render, so texts about the change must read its variables.
 */
export const toastMutationResult = <Variables>(failed: string, done?: string | ((variables: Variables) => string)) => ({
  onSuccess: (_data: unknown, variables: Variables) => {
    if (done !== undefined) showSuccessToast(typeof done === 'string' ? done : done(variables))
  },
  onError: (error: unknown) => showErrorToast(failed, error),
})
