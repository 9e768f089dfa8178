import type { Db } from '#server/db/db.ts'
import type { FeedRecord } from './feed-source.ts'
import { type NextProject, nextProject } from './next-project.ts'
import {
  type DepartmentRow,
  insertAnnouncements,
  insertProjects,
  readProjects,
  replaceBidders,
  updateProjects,
  writeAttachments,
  writeChanges,
  writeContracts,
  writeDepartments,
} from './queries-project.ts'

export type PublishContext = {
  readonly loadId: number
  readonly source: string
  /** Today in Bangkok, ISO. */
  readonly today: string
}

type Written = NextProject & { readonly isNew: boolean; readonly isOwn: boolean }

/** Writes what the records say of their projects, in a handful of statements. Answers the number of projects never seen before. */
export async function publishProjects(
  tx: Db,
  context: PublishContext,
  records: readonly FeedRecord[],
): Promise<number> {
  return writeProjects(
    tx,
    context,
    Map.groupBy(records, (record) => record.projectId),
  )
}

/** The same for records by project; a project with none is looked at again for what depends on today. */
export async function writeProjects(
  tx: Db,
  context: PublishContext,
  records: ReadonlyMap<string, readonly FeedRecord[]>,
): Promise<number> {
  const { loadId, today } = context
  const known = await readProjects(tx, [...records.keys()])
  const projects = [...records].map(([projectId, said]): Written => {
    const before = known.get(projectId)
    return {
      ...nextProject(projectId, before, said, today),
      isNew: before === undefined,
      // New in an earlier chunk of this same load: still new, not changed.
      isOwn: before?.firstLoad === loadId,
    }
  })
  await writeDepartments(tx, loadId, departmentsOf(projects))
  const added = projects.filter((project) => project.isNew)
  await insertProjects(
    tx,
    { id: loadId, source: context.source },
    added.map((project) => project.row),
  )
  const kept = projects.filter((project) => !project.isNew)
  await updateProjects(
    tx,
    loadId,
    kept.filter((project) => project.isRowChanged || hasListChanges(project)).map((project) => project.row),
  )
  await writeContracts(
    tx,
    projects.flatMap((project) => project.contracts),
  )
  const withBidders = projects.filter((project) => project.bidders !== undefined)
  await replaceBidders(
    tx,
    withBidders
      .filter((project) => !project.isNew || project.bidders!.length > 0)
      .map((project) => project.row.project_id),
    withBidders.flatMap((project) => project.bidders ?? []),
  )
  await writeAttachments(
    tx,
    loadId,
    projects.flatMap((project) => project.attachments),
  )
  await insertAnnouncements(
    tx,
    loadId,
    projects.flatMap((project) => project.announcements),
  )
  await writeChanges(
    tx,
    loadId,
    kept.filter((project) => !project.isOwn).flatMap((project) => project.changes),
  )
  return added.length
}

/** A new attachment is a tracked change although no column of the project moves. */
const hasListChanges = (project: NextProject) => project.changes.length > 0

function departmentsOf(projects: readonly Written[]): DepartmentRow[] {
  const departments = new Map<string, DepartmentRow>()
  for (const { row, deptProvince, isNew, isRowChanged } of projects) {
    // A project that stays as it was has its department; only a province said anew may still be news.
    if (!isNew && !isRowChanged && deptProvince === null) continue
    const key = JSON.stringify([row.dept_name, row.dept_sub_name])
    const province = deptProvince ?? departments.get(key)?.province ?? null
    departments.set(key, { name: row.dept_name, sub_name: row.dept_sub_name, province })
  }
  return [...departments.values()]
}
