import type { ChangeNews } from '#src/api/change-news.ts'
import { errorMessage, ProblemError } from '#src/api/http/problem-error.ts'
import { countText } from '#src/lib/money-text.ts'
import { currentSession, ownerOf, watchSession } from '#src/lib/session-store.ts'
import { askAboutConflict, pursuitConflicts } from '#src/team/pursuit/conflicts.ts'
import { clearToasts, hasToast, showToast, withdrawToast } from '#src/ui/overlay/toast.ts'

type Failure = Extract<ChangeNews, { kind: 'failed' }>
type Done = Extract<ChangeNews, { kind: 'done' }>

const FAILURES = 'failures'
/** Changes covered by the open error toast. */
let failures: readonly Failure[] = []

/** Changes covered by each open toast, by its text. */
const dones = new Map<string, readonly Done[]>()

// Undo and retry must not carry over to another user.
let owner = ownerOf(currentSession())
watchSession((session) => {
  const next = ownerOf(session)
  if (next !== owner) {
    clearToasts()
    pursuitConflicts.set([])
    dones.clear()
  }
  owner = next
})

/**
 * Shows the result of a change: done, with ten seconds to undo, or failed, with the reason. Failures are grouped, so
 * that on a bad network no failure replaces another's retry button.
 */
export function showChangeToast(news: ChangeNews): void {
  if (news.kind === 'failed') showFailureToast(news)
  else showDoneToast(news)
}

function showDoneToast(done: Done) {
  // Repeating a change while its toast is open extends that toast; its undo reverts all, last first.
  const shown = hasToast(done.text) ? (dones.get(done.text) ?? []) : []
  show(done.text, [...shown, done])
}

function show(text: string, group: readonly Done[]) {
  dones.set(text, group)
  const undos = group.flatMap(({ undo }) => undo ?? []).reverse()
  const undo = () => {
    for (const one of undos) one()
  }
  showToast({
    tone: 'done',
    key: text,
    text: group.length > 1 ? `${text} (${countText(group.length)} ครั้ง)` : text,
    ...(undos.length > 0 ? { action: { label: 'เลิกทำ', run: undo } } : {}),
  })
}

function unsay({ change }: Failure) {
  for (const [text, group] of dones) {
    if (!hasToast(text) || !group.some((done) => done.change === change)) continue
    const rest = group.filter((done) => done.change !== change)
    if (rest.length > 0) show(text, rest)
    else withdrawToast(text)
  }
}

function showFailureToast(failure: Failure) {
  unsay(failure)
  if (askAboutConflict(failure.error, failure.change, failure.text)) return
  failures = hasToast(FAILURES) ? [...failures, failure] : [failure]
  const pending = failures
  const retry = () => {
    for (const one of pending) one.retry()
  }
  const what = pending.length === 1 ? failure.text : `บันทึกไม่สำเร็จ ${countText(pending.length)} รายการ`
  showToast({
    tone: 'error',
    key: FAILURES,
    text: `${what}: ${reasonOf(failure.error)}`,
    ...(pending.some(({ error }) => canHelp(error)) ? { action: { label: 'ลองอีกครั้ง', run: retry } } : {}),
  })
}

function reasonOf(error: unknown): string {
  const [field] =
    error instanceof ProblemError && error.nonFieldErrors.length === 0 ? Object.values(error.fieldErrors) : []
  return field?.[0] ?? errorMessage(error)
}

/** True if a retry can help: not for refusals (label limit, name taken), except 429. */
function canHelp(error: unknown): boolean {
  return !(error instanceof ProblemError) || error.status >= 500 || error.status === 429
}
