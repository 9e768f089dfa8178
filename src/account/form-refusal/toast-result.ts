import { showDoneToast, showFailureToast } from '#src/ui/overlay/outcome-toasts.ts'

/**
 * Returns mutation callbacks that show a toast on success, if `done` is given, and on failure, with the reason. A
 * pending mutation calls the callbacks of the latest render, so texts about the change must read its variables.
 */
export const toastMutationResult = <Variables>(failed: string, done?: string | ((variables: Variables) => string)) => ({
  onSuccess: (_data: unknown, variables: Variables) => {
    if (done !== undefined) showDoneToast(typeof done === 'string' ? done : done(variables))
  },
  onError: (error: unknown) => showFailureToast(failed, error),
})
