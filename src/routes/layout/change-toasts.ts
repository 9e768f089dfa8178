import type { ChangeNews } from '#src/api/change-news.ts'
import { errorMessage, ProblemError } from '#src/api/http/problem-error.ts'
import { countText } from '#src/lib/money-text.ts'
import { currentSession, ownerOf, watchSession } from '#src/lib/session-store.ts'
import { askAboutConflict, pursuitConflicts } from '#src/team/pursuit/conflicts.ts'
import { clearToasts, hasToast, showToast, withdrawToast } from '#src/ui/overlay/toast.ts'

type Failure = Extract<ChangeNews, { kind: 'failed' }>
type Done = Extract<ChangeNews, { kind: 'done' }>

const FAILURES = 'failures'
/** Changes that the open error message is about. */
let failures: readonly Failure[] = []

/** Changes that an open message is about, by its text. */
const dones = new Map<string, readonly Done[]>()

// What one person may take back or try again, the next may not.
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
 * Says what became of a change: done, with ten seconds to take it back; or not saved, with the reason. What fails together is
 * said together, so that on a bad network no failure pushes another's "try again" off the screen.
 */
export function showChangeToast(news: ChangeNews): void {
  if (news.kind === 'failed') showFailureToast(news)
  else showDoneToast(news)
}

function showDoneToast(done: Done) {
  // The same thing done again while its message stands: one message, whose button takes all of it back, the last first.
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

/** What was said to be done and was not. */
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

/** What the server says about a field is the reason where it says nothing else. */
function reasonOf(error: unknown): string {
  const [field] =
    error instanceof ProblemError && error.nonFieldErrors.length === 0 ? Object.values(error.fieldErrors) : []
  return field?.[0] ?? errorMessage(error)
}

/** A refusal (label limit, name taken) stays one however often it is asked; too many requests (429) pass. */
function canHelp(error: unknown): boolean {
  return !(error instanceof ProblemError) || error.status >= 500 || error.status === 429
}
