import { formatCount } from '#contract/thai/thai-number.ts'
import type { ChangeNotice } from '#src/api/change-notice.ts'
import { formatErrorMessage, ProblemError } from '#src/lib/problem-error.ts'
import { getCurrentSession, getSessionOwner, subscribeToSession } from '#src/lib/session-store.ts'
import { openPursuitConflictDialog, pursuitConflictStore } from '#src/team/pursuit/pursuit-conflict-store.ts'
import { clearToasts, dismissToastsByKey, hasToast, showToast } from '#src/ui/overlay/toast.ts'

type Failure = Extract<ChangeNotice, { kind: 'failed' }>
type Success = Extract<ChangeNotice, { kind: 'done' }>

const FAILURE_TOAST_KEY = 'failures'
let failures: readonly Failure[] = []

const successesByText = new Map<string, readonly Success[]>()

// Undo and retry must not carry over to another user, so compare the owner on every session change.
let owner = getSessionOwner(getCurrentSession())
subscribeToSession((session) => {
  const nextOwner = getSessionOwner(session)
  if (nextOwner !== owner) {
    clearToasts()
    pursuitConflictStore.set([])
    successesByText.clear()
  }
  owner = nextOwner
})

/**
 * Shows the outcome of a change: done, with ten seconds to undo, or failed, with the reason. Failures are grouped, so
 * that on a bad network one failure does not replace the retry button of another.
 */
export function showChangeToast(notice: ChangeNotice): void {
  if (notice.kind === 'failed') showFailureToast(notice)
  else showDoneToast(notice)
}

function showDoneToast(success: Success) {
  // Repeating a change while its toast is open extends that toast, whose undo then reverts all changes, last first.
  const previous = hasToast(success.text) ? (successesByText.get(success.text) ?? []) : []
  showSuccesses(success.text, [...previous, success])
}

function showSuccesses(text: string, group: readonly Success[]) {
  successesByText.set(text, group)
  const undos = group.flatMap(({ undo }) => undo ?? []).reverse()
  const undo = () => {
    for (const undoOne of undos) undoOne()
  }
  showToast({
    tone: 'done',
    key: text,
    text: group.length > 1 ? `${text} (${formatCount(group.length)} ครั้ง)` : text,
    ...(undos.length > 0 ? { action: { label: 'เลิกทำ', run: undo } } : {}),
  })
}

function withdrawSuccess({ change }: Failure) {
  for (const [text, group] of successesByText) {
    if (!hasToast(text) || !group.some((success) => success.change === change)) continue
    const remaining = group.filter((success) => success.change !== change)
    if (remaining.length > 0) showSuccesses(text, remaining)
    else dismissToastsByKey(text)
  }
}

function showFailureToast(failure: Failure) {
  withdrawSuccess(failure)
  if (openPursuitConflictDialog(failure.error, failure.change, failure.text)) return
  failures = hasToast(FAILURE_TOAST_KEY) ? [...failures, failure] : [failure]
  const pending = failures
  const retry = () => {
    for (const pendingFailure of pending) pendingFailure.retry()
  }
  const summary = pending.length === 1 ? failure.text : `บันทึกไม่สำเร็จ ${formatCount(pending.length)} รายการ`
  showToast({
    tone: 'error',
    key: FAILURE_TOAST_KEY,
    text: `${summary}: ${reasonOf(failure.error)}`,
    ...(pending.some(({ error }) => canRetry(error)) ? { action: { label: 'ลองอีกครั้ง', run: retry } } : {}),
  })
}

function reasonOf(error: unknown): string {
  const [field] =
    error instanceof ProblemError && error.nonFieldErrors.length === 0 ? Object.values(error.fieldErrors) : []
  return field?.[0] ?? formatErrorMessage(error)
}

function canRetry(error: unknown): boolean {
  return !(error instanceof ProblemError) || error.status >= 500 || error.status === 429
}
