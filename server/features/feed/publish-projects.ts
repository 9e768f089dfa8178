import { setImmediate as turn } from 'node:timers/promises'
import type { Db } from '#server/engine/db.ts'
import type { FeedRecord } from './feed-source.ts'
import { type NextProject, nextProject } from './next-project.ts'
import type { StoredRow } from './project-columns.ts'
import type { KnownProject } from './project-row.ts'
import {
  type DepartmentRow,
  departmentIds,
  departmentKey,
  insertAnnouncements,
  insertBidders,
  insertProjects,
  readProjects,
  removeBidders,
  updateProjects,
  writeAttachments,
  writeChanges,
  writeContracts,
  writeFieldSources,
} from './queries-project.ts'

export type PublishContext = {
  readonly loadId: number
  readonly source: string
  /** Today in Bangkok, ISO. */
  readonly today: string
  /** Numbers of the departments met so far, by `departmentKey`. */
  readonly departments: Map<string, number>
}

export type Batch = {
  /** What is said of each project; a project with no record is looked at again for what depends on today. */
  readonly records: ReadonlyMap<string, readonly FeedRecord[]>
  readonly known: ReadonlyMap<string, KnownProject>
}
export type PreparedProject = NextProject & {
  readonly isNew: boolean
  /** New in an earlier batch of this same load: still new, not changed. */
  readonly isOwn: boolean
}

export async function readBatch(tx: Db, records: ReadonlyMap<string, readonly FeedRecord[]>): Promise<Batch> {
  return { records, known: await readProjects(tx, [...records.keys()]) }
}

/** Projects worked out between two turns of the event loop; about 5 ms. */
const PROJECTS_A_TURN = 100

/** Works out the next state of each project. Gives way now and then, so that statements under way can go on. */
export async function prepareBatch(context: PublishContext, batch: Batch): Promise<readonly PreparedProject[]> {
  const prepared: PreparedProject[] = []
  for (const [projectId, incoming] of batch.records) {
    const before = batch.known.get(projectId)
    prepared.push({
      ...nextProject(projectId, before, incoming, context),
      isNew: before === undefined,
      isOwn: before?.firstLoad === context.loadId,
    })
    if (prepared.length % PROJECTS_A_TURN === 0) await turn()
  }
  return prepared
}

/** Writes what changed, in a handful of statements. Answers the number of projects never seen before. */
export async function writeBatch(
  tx: Db,
  context: PublishContext,
  projects: readonly PreparedProject[],
): Promise<number> {
  const { loadId } = context
  const added = projects.filter((project) => project.isNew)
  const kept = projects.filter((project) => !project.isNew)
  // A new attachment is a tracked change although no column of the project moves; contracts and bidders are what companies' figures are made of.
  const changed = kept.filter(
    ({ isRowChanged, changes, contracts, bidders }) =>
      isRowChanged || changes.length > 0 || contracts.length > 0 || bidders !== undefined,
  )
  await insertProjects(tx, { id: loadId, source: context.source }, await withDepartments(tx, context, added))
  await updateProjects(tx, loadId, await withDepartments(tx, context, changed))
  await removeBidders(
    tx,
    kept.filter((project) => project.bidders !== undefined).map((project) => project.row.project_id),
  )
  await insertBidders(
    tx,
    projects.flatMap((project) => project.bidders ?? []),
  )
  for (const [of, some] of [['new', added] as const, ['known', kept] as const]) {
    await writeContracts(
      tx,
      of,
      some.flatMap((project) => project.contracts),
    )
    await writeAttachments(
      tx,
      of,
      loadId,
      some.flatMap((project) => project.attachments),
    )
    await insertAnnouncements(
      tx,
      of,
      loadId,
      some.flatMap((project) => project.announcements),
    )
  }
  await writeFieldSources(
    tx,
    kept.flatMap(({ row, fieldSources: fields }) => (fields ? [{ project_id: row.project_id, fields }] : [])),
  )
  await writeChanges(
    tx,
    loadId,
    kept.filter((project) => !project.isOwn).flatMap((project) => project.changes),
  )
  return added.length
}

/** The rows with the numbers of their departments, which are looked up or added once in a load. */
async function withDepartments(
  tx: Db,
  context: PublishContext,
  projects: readonly PreparedProject[],
): Promise<StoredRow[]> {
  const wanted = new Map<string, DepartmentRow>()
  const keyed = projects.map(({ row }) => {
    const department = { name: row.dept_name, sub_name: row.dept_sub_name, province: row.dept_province }
    const key = departmentKey(department)
    if (!context.departments.has(key)) wanted.set(key, department)
    return { row, key }
  })
  const ids = await departmentIds(tx, [...wanted.values()])
  for (const [index, key] of [...wanted.keys()].entries()) context.departments.set(key, ids[index]!)
  return keyed.map(({ row, key }) => ({ ...row, department_id: context.departments.get(key)! }))
}
