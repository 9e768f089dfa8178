import type { Organisation } from '#contract/account/organisation.ts'
import { getWatchListLockEnd } from '#contract/account/watch-list-lock-window.ts'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { formatBangkokTime } from '#contract/thai/thai-date.ts'
import { loadOrganisationDetails } from '#server/account/organisation/load-organisation-details.ts'
import type { AuditDetail } from '#server/account/usage-log/audit-event.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import {
  applyKeywordListChangeToDocuments,
  findProjectsByDocumentKeyword,
} from '#server/matching/documents/document-matches.ts'
import { enqueueProjectMatchJob } from '#server/matching/match-requests.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { removeEmptyKeywordGroups } from './change-keyword-queries.ts'
import type { KeywordListEditingActor, KeywordRouteContext } from './keyword-context.ts'
import { combineRematchCriteria, type RematchCriterion } from './match-scope.ts'
import { findKeywordLists, type KeywordListState, lockOrganisation } from './queries.ts'

/** What to rematch, and the words before and after the change for the audit trail (R59). */
export type KeywordListChangeResult = { readonly scopes: readonly RematchCriterion[]; readonly detail: AuditDetail }

/**
 * Changes an organisation's lists in one transaction under the lock of the organisation's row and returns the
 * organisation. So concurrent edits are not lost, limits are exact, and a failure rolls everything back. `work` returns
 * undefined for a no-op. Throws ProblemError `lists_locked` during closed hours.
 */
export async function changeKeywordLists(
  { db }: KeywordRouteContext,
  editor: KeywordListEditingActor,
  work: (tx: Db, lists: KeywordListState) => Promise<KeywordListChangeResult | undefined>,
): Promise<Organisation> {
  const { organisationId, userId, at, address, requestId } = editor
  return db.transaction(async (tx) => {
    await lockOrganisation(tx, organisationId)
    const lists = await loadEditableKeywordLists(tx, editor)
    const projectsByWord = await findProjectsByDocumentKeyword(tx, organisationId, lists.keywords)
    const result = await work(tx, lists)
    if (result) {
      const after = (await findKeywordLists(tx, organisationId))?.keywords ?? []
      const change = { before: lists.keywords, found: projectsByWord, after, at }
      const projects = await applyKeywordListChangeToDocuments(tx, organisationId, change)
      await removeEmptyKeywordGroups(tx, organisationId)
      const scope = combineRematchCriteria([...result.scopes, ...projects.map((project) => ({ project }))])
      if (scope) await enqueueProjectMatchJob(tx, organisationId, scope, at)
      const { detail } = result
      await recordAuditEvent(tx, { kind: 'lists_changed', at, organisationId, userId, address, requestId, detail })
    }
    return loadOrganisationDetails(tx, organisationId)
  })
}

export async function loadEditableKeywordLists(
  db: Db,
  { organisationId, at }: KeywordListEditingActor,
): Promise<KeywordListState> {
  const lists = await findKeywordLists(db, organisationId)
  if (!lists) throw new ProblemError('session_invalid')
  // Closed hours do not apply before set-up: there is no report to disturb, and the user is waiting for one.
  const until = lists.isWatchlistCompleted ? getWatchListLockEnd(lists.config, at) : undefined
  if (until) throw new ProblemError('lists_locked', { text: listsLockedText(until) })
  return lists
}

function listsLockedText(until: Date): string {
  return API_PROBLEM_TEXTS.lists_locked.replace('หลังช่วงเวลานี้', `ตั้งแต่ ${formatBangkokTime(until).slice(-5)} น.`)
}
