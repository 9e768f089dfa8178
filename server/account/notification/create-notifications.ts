import type { Db } from '#server/platform/engine/db.ts'
import {
  type ComparedDocument,
  type FoundInDocument,
  type FoundWord,
  insertDocumentChanged,
  insertDocumentCompared,
  insertDocumentFound,
  insertWordFound,
} from './document-notifications.ts'
import {
  insertExportReady,
  insertJoinRequested,
  insertQuestionNews,
  insertUpdates,
  insertWarnings,
  type JoinRequested,
  type QuestionNews,
  type ReadyExport,
} from './queries.ts'

export type NotifiedLoad = { readonly updates: number; readonly warnings: number }

/**
 * Notifies users of changes in a load (D16, D17). Runs in the publishing transaction after matching, so an aborted load
 * notifies no users and a repeated one notifies each user once (R52).
 * Updates: a tracked field of a starred or labelled project changed, including cancellation and delivery; the owner of
 * a board card is notified of a cancellation. Warnings: 0 to 7 days left at the load (`today`, ISO, Bangkok), once per
 * date, whether or not the load touched the project, so a project starred with three days left is covered by the next
 * load. Both only for projects in the organisation's report that the user has not hidden.
 * `isOfAllDates` false: warnings only for projects written by this load, since an earlier load of the day has checked
 * all.
 */
export async function notifyOfLoad(
  tx: Db,
  loadId: number,
  { today, at, isOfAllDates = true }: { readonly today: string; readonly at: Date; readonly isOfAllDates?: boolean },
): Promise<NotifiedLoad> {
  const updates = await insertUpdates(tx, loadId, at)
  const warnings = await insertWarnings(tx, today, at, isOfAllDates ? undefined : loadId)
  return { updates, warnings }
}

/** Once per export. */
export async function notifyExportReady(tx: Db, { at, ...ready }: ReadyExport & { readonly at: Date }): Promise<void> {
  await insertExportReady(tx, ready, at)
}

/** For users who starred the project, once per document. Returns the number of users. */
export function notifyDocumentCompared(
  tx: Db,
  { at, ...compared }: ComparedDocument & { readonly at: Date },
): Promise<number> {
  return insertDocumentCompared(tx, compared, at)
}

/** For users who starred the project, once per `version`. */
export async function notifyDocumentChanged(tx: Db, projectId: string, version: string, at: Date): Promise<void> {
  await insertDocumentChanged(tx, projectId, version, at)
}

/**
 * Notifies a user that a document made a project match a saved filter; once per project and filter. False if already
 * notified.
 */
export function notifyDocumentFound(
  tx: Db,
  { at, ...found }: FoundInDocument & { readonly at: Date },
): Promise<boolean> {
  return insertDocumentFound(tx, found, at)
}

/**
 * Notifies users that a watch word in a public document added a project; once per project and word. Returns the number
 * of users.
 */
export function notifyWordFound(tx: Db, { at, ...found }: FoundWord & { readonly at: Date }): Promise<number> {
  return insertWordFound(tx, found, at)
}

/** For super users, once per request. */
export async function notifyJoinRequested(
  tx: Db,
  { at, ...request }: JoinRequested & { readonly at: Date },
): Promise<void> {
  await insertJoinRequested(tx, request, at)
}

/** Notifies a user, in one line, that saved questions of ใครชนะ have new answers; once per load. */
export async function notifyQuestionNews(tx: Db, { at, ...news }: QuestionNews & { readonly at: Date }): Promise<void> {
  await insertQuestionNews(tx, news, at)
}
