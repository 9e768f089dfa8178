import { errorText, ProblemError } from '#src/api/problem-error.ts'
import type { PatchNews } from '#src/api/user-patches.ts'
import { countText } from '#src/lib/money-text.ts'
import { currentSession, ownerOf, watchSession } from '#src/lib/session-store.ts'
import { clearToasts, hasToast, showToast, withdrawToast } from '#src/ui/toast.tsx'

type Failure = Extract<PatchNews, { kind: 'failed' }>

const FAILURES = 'failures'
/** Changes that the open error message is about. */
let failures: readonly Failure[] = []

// What one person may take back or try again, the next may not.
let owner = ownerOf(currentSession())
watchSession((session) => {
  const next = ownerOf(session)
  if (next !== owner) clearToasts()
  owner = next
})

/**
 * Says what became of a change: done, with ten seconds to take it back; or not saved, with the reason. What fails together is
 * said together, so that on a bad network no failure pushes another's "try again" off the screen.
 */
export function sayPatchNews(news: PatchNews): void {
  if (news.kind === 'failed') sayFailure(news)
  else sayDone(news)
}

function sayDone({ change: key, text, undo }: Extract<PatchNews, { kind: 'done' }>) {
  showToast({ tone: 'done', key, text, ...(undo ? { action: { label: 'เลิกทำ', run: undo } } : {}) })
}

function sayFailure(failure: Failure) {
  // It was said to be done.
  withdrawToast(failure.change)
  failures = hasToast(FAILURES) ? [...failures, failure] : [failure]
  const said = failures
  const retry = () => {
    for (const one of said) one.retry()
  }
  const what = said.length === 1 ? failure.text : `บันทึกไม่สำเร็จ ${countText(said.length)} รายการ`
  showToast({
    tone: 'error',
    key: FAILURES,
    text: `${what}: ${reasonOf(failure.error)}`,
    ...(said.some(({ error }) => canHelp(error)) ? { action: { label: 'ลองอีกครั้ง', run: retry } } : {}),
  })
}

/** What the server says about a field is the reason where it says nothing else. */
function reasonOf(error: unknown): string {
  const [field] =
    error instanceof ProblemError && error.nonFieldErrors.length === 0 ? Object.values(error.fieldErrors) : []
  return field?.[0] ?? errorText(error)
}

/** A refusal (label limit, name taken) stays one however often it is asked; too many requests (429) pass. */
function canHelp(error: unknown): boolean {
  return !(error instanceof ProblemError) || error.status >= 500 || error.status === 429
}
