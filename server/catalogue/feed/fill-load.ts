import sql from 'sql-template-tag'
import { skipReferenceChecks } from '#server/platform/engine/bulk-write.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { type PreparedProject, type PublishContext, write, writesOf } from './publish-projects.ts'

/**
 * A load that becomes visible in parts while the server answers (decision 0036). Only the sample of a first start is one: all its projects are new,
 * and they are known to be sound. Its state is `publishing` until the last part is in, so it is never the load that New and Updated speak of.
 */
export type Filling = {
  readonly loadId: number
  readonly fingerprint: string
  readonly done: number
  readonly total: number
}

export async function findFilling(db: Db): Promise<Filling | undefined> {
  const [filling] = await db.query<Filling>(sql`
    select id as "loadId", fingerprint, read_rows as done, staged_rows as total from loads where state = 'publishing' order by id limit 1`)
  return filling
}

/** Opens such a load of `total` projects and answers its id. */
export async function openFilling(
  tx: Db,
  load: { readonly source: string; readonly fingerprint: string; readonly total: number },
): Promise<number> {
  const rows = await tx.query<{ id: number }>(sql`
    insert into loads (source, origin, fingerprint, state, staged_rows, published_at)
    values (${load.source}, ${load.source}, ${load.fingerprint}, 'publishing', ${load.total}::int, now()) returning id`)
  return rows[0]!.id
}

/**
 * Writes those of the projects that are not stored yet, and answers their ids. A project that is stored came in an earlier part, or changed
 * since: it stays as it is. So the same part may come again after a start that was interrupted.
 */
export async function addPart(
  tx: Db,
  context: PublishContext,
  projects: readonly PreparedProject[],
): Promise<readonly string[]> {
  const ids = projects.map(({ row }) => row.project_id)
  const stored = await tx.query<{ project_id: string }>(sql`
    select project_id from projects where project_id = any(${ids}::text[])`)
  const known = new Set(stored.map(({ project_id }) => project_id))
  const fresh = projects.filter(({ row }) => !known.has(row.project_id))
  await skipReferenceChecks(tx)
  const added = await write(tx, await writesOf(tx, context, fresh))
  await tx.execute(sql`
    update loads set read_rows = read_rows + ${added}::int, new_projects = new_projects + ${added}::int where id = ${context.loadId}::bigint`)
  return fresh.map(({ row }) => row.project_id)
}

/** All parts are in: from now on it is a load like others, published when its first part was. */
export async function closeFilling(tx: Db, loadId: number): Promise<void> {
  await tx.execute(sql`update loads set state = 'published', staged_rows = read_rows where id = ${loadId}::bigint`)
}
