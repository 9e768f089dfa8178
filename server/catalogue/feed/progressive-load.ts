import sql from 'sql-template-tag'
import { skipForeignKeyChecks } from '#server/platform/engine/bulk-write.ts'
import type { Db } from '#server/platform/engine/db.ts'
import {
  buildProjectBatchWrites,
  executeProjectBatchWrites,
  type PreparedProject,
  type ProjectPublicationContext,
} from './publish-projects.ts'

/**
 * A load published in parts while the server already answers (decision 0036). Used only for the demo data of a first
 * start, where all projects are new and valid. Its state is `publishing` until the last part, so the filters New and
 * Updated never refer to it.
 */
export type ProgressiveDataLoad = {
  readonly loadId: number
  readonly fingerprint: string
  readonly done: number
  readonly total: number
}

export async function findProgressiveDataLoad(db: Db): Promise<ProgressiveDataLoad | undefined> {
  const [filling] = await db.query<ProgressiveDataLoad>(sql`
    select id as "loadId", fingerprint, read_rows as done, staged_rows as total from loads where state = 'publishing' order by id limit 1`)
  return filling
}

export async function openProgressiveDataLoad(
  tx: Db,
  load: { readonly source: string; readonly fingerprint: string; readonly total: number },
): Promise<number> {
  const rows = await tx.query<{ id: number }>(sql`
    insert into loads (source, origin, fingerprint, state, staged_rows, published_at)
    values (${load.source}, ${load.source}, ${load.fingerprint}, 'publishing', ${load.total}::int, now()) returning id`)
  return rows[0]!.id
}

/**
 * Writes the projects that are not stored yet and returns their ids. Stored projects were added by an earlier part or
 * have changed since, so they stay untouched; that makes a part safe to repeat after an interrupted start.
 */
export async function insertProgressiveDataLoadPart(
  tx: Db,
  context: ProjectPublicationContext,
  projects: readonly PreparedProject[],
): Promise<readonly string[]> {
  const ids = projects.map(({ row }) => row.project_id)
  const stored = await tx.query<{ project_id: string }>(sql`
    select project_id from projects where project_id = any(${ids}::text[])`)
  const storedIds = new Set(stored.map(({ project_id }) => project_id))
  const fresh = projects.filter(({ row }) => !storedIds.has(row.project_id))
  await skipForeignKeyChecks(tx)
  const added = await executeProjectBatchWrites(tx, await buildProjectBatchWrites(tx, context, fresh))
  await tx.execute(sql`
    update loads set read_rows = read_rows + ${added}::int, new_projects = new_projects + ${added}::int where id = ${context.loadId}::bigint`)
  return fresh.map(({ row }) => row.project_id)
}

/** Turns the completed load into an ordinary one, published at the time of its first part. */
export async function finishProgressiveDataLoad(tx: Db, loadId: number): Promise<void> {
  await tx.execute(sql`update loads set state = 'published', staged_rows = read_rows where id = ${loadId}::bigint`)
}
