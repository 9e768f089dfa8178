import type { Db } from '#server/platform/engine/db.ts'
import {
  type ComparedDocument,
  type DocumentKeywordMatch,
  insertDocumentChangedNotifications,
  insertDocumentComparedNotification,
  insertDocumentKeywordNotifications,
  insertDocumentMatchNotification,
  type SavedFilterDocumentMatch,
} from './document-notifications.ts'
import {
  insertDeadlineWarningNotifications,
  insertExportReadyNotification,
  insertJoinRequestNotifications,
  insertSavedQuestionChangesNotification,
  insertUpdateNotifications,
  type JoinRequestNotification,
  type ReadyExport,
  type SavedQuestionChanges,
} from './queries.ts'

export type DataLoadNotificationCounts = { readonly updates: number; readonly warnings: number }

/**
 * Notifies users of changes in a load (D16, D17). Runs in the publishing transaction after matching, so an aborted load
 * notifies no users and a repeated one notifies each user once (R52). Updates: a tracked field of a starred or labelled
 * project changed, including cancellation and delivery; the owner of a board card is notified of a cancellation.
 * Warnings: 0 to 7 days left at the load (`today`, ISO, Bangkok), once per date, whether or not the load touched the
 * project, so a project starred with three days left is covered by the next load. Both kinds cover only projects in the
 * organisation's report that the user has not hidden. With `isOfAllDates` false, warnings cover only projects written
 * by this load, since an earlier load of the day has checked all dates.
 */
export async function notifyUsersOfDataLoadChanges(
  tx: Db,
  loadId: number,
  { today, at, isOfAllDates = true }: { readonly today: string; readonly at: Date; readonly isOfAllDates?: boolean },
): Promise<DataLoadNotificationCounts> {
  const updates = await insertUpdateNotifications(tx, loadId, at)
  const warnings = await insertDeadlineWarningNotifications(tx, today, at, isOfAllDates ? undefined : loadId)
  return { updates, warnings }
}

export async function notifyExportReady(
  tx: Db,
  { at, ...readyExport }: ReadyExport & { readonly at: Date },
): Promise<void> {
  await insertExportReadyNotification(tx, readyExport, at)
}

export function notifyDocumentComparisonReady(
  tx: Db,
  { at, ...compared }: ComparedDocument & { readonly at: Date },
): Promise<number> {
  return insertDocumentComparedNotification(tx, compared, at)
}

export async function notifyDocumentChanged(tx: Db, projectId: string, version: string, at: Date): Promise<void> {
  await insertDocumentChangedNotifications(tx, projectId, version, at)
}

/**
 * Notifies a user that a document made a project match a saved filter; once per project and filter. False if already
 * notified.
 */
export function notifySavedFilterDocumentMatch(
  tx: Db,
  { at, ...match }: SavedFilterDocumentMatch & { readonly at: Date },
): Promise<boolean> {
  return insertDocumentMatchNotification(tx, match, at)
}

/**
 * Notifies users that a watch word in a public document added a project; once per project and word. Returns the number
 * of users.
 */
export function notifyDocumentKeywordMatch(
  tx: Db,
  { at, ...match }: DocumentKeywordMatch & { readonly at: Date },
): Promise<number> {
  return insertDocumentKeywordNotifications(tx, match, at)
}

export async function notifyJoinRequestReceived(
  tx: Db,
  { at, ...request }: JoinRequestNotification & { readonly at: Date },
): Promise<void> {
  await insertJoinRequestNotifications(tx, request, at)
}

/** Sends a user one notification about new answers to saved questions of ใครชนะ; once per load. */
export async function notifySavedQuestionChanges(
  tx: Db,
  { at, ...changes }: SavedQuestionChanges & { readonly at: Date },
): Promise<void> {
  await insertSavedQuestionChangesNotification(tx, changes, at)
}
