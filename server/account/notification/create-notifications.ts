import type { Db } from '#server/platform/engine/db.ts'
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
import {
  type ComparedDocument,
  type FoundInDocument,
  type FoundWord,
  insertDocumentChanged,
  insertDocumentCompared,
  insertDocumentFound,
  insertWordFound,
} from './queries-documents.ts'

/** How many notifications a load made. */
export type NotifiedLoad = { readonly updates: number; readonly warnings: number }

/**
 * Tells users what a load brought (D16, D17), in the transaction that publishes it and after its matching: a load that is killed tells nothing, and one
 * that is run again tells each thing once (R52).
 *
 * Updated: a tracked field changed of a project that the user starred or labelled; also that it was cancelled or delivered. The user who looks
 * after a card of the board is notified when its project is cancelled. Warnings: as the load finds
 * 0 to 7 days left in Bangkok (`today`, ISO), whether it touched the project or not, once for each date. Only of projects in the report of the user's
 * organisation, and of none that the user has hidden. Who stars a project with three days left is warned by the next load. `isOfAllDates` false: warnings of
 * the projects that the load wrote alone, since one of the same day has looked at all.
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

/** Tells a user that a file made in the background can be fetched; once for each export, however often it is asked. */
export async function notifyExportReady(tx: Db, { at, ...ready }: ReadyExport & { readonly at: Date }): Promise<void> {
  await insertExportReady(tx, ready, at)
}

/** Tells those who starred a project that a newer document of it says other things than the one before; once for each document. Answers how many were told. */
export function notifyDocumentCompared(
  tx: Db,
  { at, ...compared }: ComparedDocument & { readonly at: Date },
): Promise<number> {
  return insertDocumentCompared(tx, compared, at)
}

/** Tells who starred a project that another content came by the link of one of its announcements; once for each `version`. */
export async function notifyDocumentChanged(tx: Db, projectId: string, version: string, at: Date): Promise<void> {
  await insertDocumentChanged(tx, projectId, version, at)
}

/** Tells a user that a document made a project pass a saved filter; once for each project and filter. Answers whether it was news. */
export function notifyDocumentFound(
  tx: Db,
  { at, ...found }: FoundInDocument & { readonly at: Date },
): Promise<boolean> {
  return insertDocumentFound(tx, found, at)
}

/** Tells users that a watch word stands in a public document and so let a project in; once for each project and word. Answers how many were told. */
export function notifyWordFound(tx: Db, { at, ...found }: FoundWord & { readonly at: Date }): Promise<number> {
  return insertWordFound(tx, found, at)
}

/** Tells the super users of an organisation that somebody asks to be let in; once for each request. */
export async function notifyJoinRequested(
  tx: Db,
  { at, ...request }: JoinRequested & { readonly at: Date },
): Promise<void> {
  await insertJoinRequested(tx, request, at)
}

/** Tells a user that their saved questions of ใครชนะ have other answers, in one line; once for each load. */
export async function notifyQuestionNews(tx: Db, { at, ...news }: QuestionNews & { readonly at: Date }): Promise<void> {
  await insertQuestionNews(tx, news, at)
}
