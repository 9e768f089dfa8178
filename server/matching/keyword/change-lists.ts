import { listsLockedUntil } from '#contract/account/not-allowed-window.ts'
import type { Organisation } from '#contract/account/organisation.ts'
import { PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import { readOrganisation } from '#server/account/organisation/read-organisation.ts'
import type { AuditDetail } from '#server/account/usage-log/audit-event.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import { documentedProjects, followListChange } from '#server/matching/documents/document-matches.ts'
import { requestMatching } from '#server/matching/match-requests.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import { removeEmptyGroups } from './change-keyword-queries.ts'
import type { Editor, KeywordContext } from './keyword-context.ts'
import { mergedScope, type ScopePart } from './match-scope.ts'
import { findLists, type ListState, lockOrganisation } from './queries.ts'

/** Result of a change: what to rematch, and the words before and after for the audit trail (R59). */
export type Done = { readonly scopes: readonly ScopePart[]; readonly detail: AuditDetail }

/**
 * Changes an organisation's lists in one transaction under its row lock and returns the organisation: concurrent edits
 * are not lost, limits are exact, failures roll back. `work` returns undefined for a no-op. Throws ProblemError
 * `lists_locked` in the not-allowed window.
 */
export async function changeLists(
  { db }: KeywordContext,
  editor: Editor,
  work: (tx: Db, lists: ListState) => Promise<Done | undefined>,
): Promise<Organisation> {
  const { organisationId, userId, at, address, requestId } = editor
  return db.transaction(async (tx) => {
    await lockOrganisation(tx, organisationId)
    const lists = await findOpenLists(tx, editor)
    const found = await documentedProjects(tx, organisationId, lists.keywords)
    const done = await work(tx, lists)
    if (done) {
      const after = (await findLists(tx, organisationId))?.keywords ?? []
      const change = { before: lists.keywords, found, after, at }
      const projects = await followListChange(tx, organisationId, change)
      await removeEmptyGroups(tx, organisationId)
      const scope = mergedScope([...done.scopes, ...projects.map((project) => ({ project }))])
      if (scope) await requestMatching(tx, organisationId, scope, at)
      const { detail } = done
      await recordAuditEvent(tx, { kind: 'lists_changed', at, organisationId, userId, address, requestId, detail })
    }
    return readOrganisation(tx, organisationId)
  })
}

/** Returns the lists if they may be changed now. Called before the work that needs no lock, and again under it. */
export async function findOpenLists(db: Db, { organisationId, at }: Editor): Promise<ListState> {
  const lists = await findLists(db, organisationId)
  if (!lists) throw new ProblemError('session_invalid')
  // Exempt until the lists are set up: there is no report to disturb yet, and a user is waiting for one.
  const until = lists.isWatchlistCompleted ? listsLockedUntil(lists.config, at) : undefined
  if (until) throw new ProblemError('lists_locked', { text: lockedText(until) })
  return lists
}

function lockedText(until: Date): string {
  return PROBLEM_TEXTS.lists_locked.replace('หลังช่วงเวลานี้', `ตั้งแต่ ${formatBangkokTime(until).slice(-5)} น.`)
}
