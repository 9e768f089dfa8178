import type { Sql } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { mapInTimeSlices } from '#server/platform/engine/process-in-batches.ts'
import { toQuarantinedText } from './clean-text.ts'
import type { FeedRecord } from './feed-source.ts'
import type { QuarantinedRow } from './load-queries.ts'
import { computeNextProjectState, type NextProjectState } from './next-project.ts'
import {
  type DepartmentRow,
  deleteBiddersSql,
  insertAnnouncementsSql,
  insertBiddersSql,
  insertProjectsSql,
  NO_QUERY_TIMEOUT,
  readExistingProjects,
  resolveDepartmentIds,
  toDepartmentKey,
  updateProjectsSql,
  upsertAttachmentsSql,
  upsertContractsSql,
  upsertDataIssuesSql,
  upsertFieldChangesSql,
  upsertFieldSourcesSql,
} from './project-queries.ts'
import type { ExistingProject, ProjectRow } from './project-row.ts'
import type { StoredProjectRow } from './stored-project-columns.ts'

export type ProjectPublicationContext = {
  readonly loadId: number
  readonly source: string
  readonly today: string
  readonly departments: Map<string, number>
  readonly refused: QuarantinedRow[]
  readonly nameless: Set<string>
}

export const createProjectPublicationContext = (
  loadId: number,
  source: string,
  today: string,
): ProjectPublicationContext => ({
  ...{ loadId, source, today },
  ...{ departments: new Map(), refused: [], nameless: new Set() },
})

export type ProjectBatch = {
  /** Records by project; a project without records is re-evaluated for date-dependent state. */
  readonly records: ReadonlyMap<string, readonly FeedRecord[]>
  readonly existing: ReadonlyMap<string, ExistingProject>
}
export type PreparedProject = NextProjectState & {
  readonly isNew: boolean
  /** True if an earlier batch of this load created the project, so it counts as new rather than changed. */
  readonly isFromThisLoad: boolean
}

export async function readProjectBatch(
  tx: Db,
  records: ReadonlyMap<string, readonly FeedRecord[]>,
  stored: readonly string[],
): Promise<ProjectBatch> {
  return { records, existing: stored.length === 0 ? new Map() : await readExistingProjects(tx, stored) }
}

/**
 * Computes the next state of each project. Yields to the event loop regularly so that running statements can proceed.
 */
export async function prepareProjectBatch(
  context: ProjectPublicationContext,
  batch: ProjectBatch,
): Promise<readonly PreparedProject[]> {
  const publishable = [...batch.records].filter(([projectId, incoming]) => {
    const isNameless = !batch.existing.has(projectId) && incoming.every(({ name }) => name === undefined)
    if (isNameless) {
      context.refused.push(...incoming.map(namelessRow))
      context.nameless.add(projectId)
    } else context.nameless.delete(projectId)
    return !isNameless
  })
  return await mapInTimeSlices(publishable, ([projectId, incoming]) => {
    const before = batch.existing.get(projectId)
    return {
      ...computeNextProjectState(projectId, before, incoming, context),
      isNew: before === undefined,
      isFromThisLoad: before?.firstLoad === context.loadId,
    }
  })
}

const namelessRow = (record: FeedRecord): QuarantinedRow => ({
  line: record.line ?? 0,
  reason: `ไม่มีชื่อโครงการ และยังไม่เคยมีโครงการ ${record.projectId} นำเข้าข้อมูลที่มีชื่อก่อน`,
  raw: toQuarantinedText(JSON.stringify(record)),
})

export type NewProjectRow = Pick<PreparedProject, 'row' | 'contracts' | 'bidders' | 'intake'> & {
  readonly departmentId: number
}

/**
 * Computes derived data for new projects while they are being published. A project whose records arrive in several
 * batches is new only in the first (`rewritten`).
 */
export type DerivedDataWriter = {
  prepare(projects: readonly NewProjectRow[]): Promise<DerivedDataWrites>
}
export type DerivedDataWrites = {
  writeInTransaction(): Promise<void>
  /** Writes the derived data on separate connections. Never rejects; whatever fails is recomputed after the load. */
  writeDetached(): Promise<void>
}

/** Returns the new projects of a batch. Call it after `buildProjectBatchWrites`, which resolves their departments. */
export const listNewProjects = (
  context: ProjectPublicationContext,
  projects: readonly PreparedProject[],
): NewProjectRow[] =>
  projects
    .filter(({ isNew }) => isNew)
    .map(({ row, contracts, bidders, intake }) => ({
      ...{ row, contracts, bidders, intake },
      departmentId: context.departments.get(toDepartmentKey(departmentOf(row)))!,
    }))

export type ProjectBatchWrites = {
  readonly statements: readonly Sql[]
  readonly added: number
  readonly rewritten: readonly string[]
}

export async function buildProjectBatchWrites(
  tx: Db,
  context: ProjectPublicationContext,
  projects: readonly PreparedProject[],
): Promise<ProjectBatchWrites> {
  const { loadId } = context
  const added = projects.filter((project) => project.isNew)
  const existing = projects.filter((project) => !project.isNew)
  // A new attachment alone is a tracked change too; contracts and bidders feed company statistics.
  const changed = existing.filter(
    ({ isRowChanged, changes, contracts, bidders }) =>
      isRowChanged || changes.length > 0 || contracts.length > 0 || bidders !== undefined,
  )
  const rowsAdded = await withDepartments(tx, context, added)
  const rowsChanged = await withDepartments(tx, context, changed)
  const lists = ([of, group]: readonly ['new' | 'known', readonly PreparedProject[]]) => [
    ...upsertContractsSql(
      of,
      group.flatMap((project) => project.contracts),
    ),
    ...upsertAttachmentsSql(
      of,
      loadId,
      group.flatMap((project) => project.attachments),
    ),
    ...insertAnnouncementsSql(
      of,
      loadId,
      group.flatMap((project) => project.announcements),
    ),
  ]
  const statements = [
    ...insertProjectsSql({ id: loadId, source: context.source }, rowsAdded),
    ...updateProjectsSql(loadId, rowsChanged),
    ...deleteBiddersSql(
      existing.filter((project) => project.bidders !== undefined).map((project) => project.row.project_id),
    ),
    ...insertBiddersSql(projects.flatMap((project) => project.bidders ?? [])),
    ...lists(['new', added]),
    ...lists(['known', existing]),
    ...upsertFieldSourcesSql(
      existing.flatMap(({ row, fieldSources: fields }) => (fields ? [{ project_id: row.project_id, fields }] : [])),
    ),
    ...upsertDataIssuesSql(
      projects.flatMap(({ row, intake }) => (intake ? [{ project_id: row.project_id, ...intake }] : [])),
    ),
    ...upsertFieldChangesSql(
      loadId,
      existing.filter((project) => !project.isFromThisLoad).flatMap((project) => project.changes),
    ),
  ]
  return { statements, added: added.length, rewritten: changed.map(({ row }) => row.project_id) }
}

export async function executeProjectBatchWrites(tx: Db, { statements, added }: ProjectBatchWrites): Promise<number> {
  for (const statement of statements) await tx.execute(statement, NO_QUERY_TIMEOUT)
  return added
}

const departmentOf = ({ dept_name, dept_sub_name, dept_province }: ProjectRow): DepartmentRow => ({
  ...{ name: dept_name, sub_name: dept_sub_name, province: dept_province },
})

async function withDepartments(
  tx: Db,
  context: ProjectPublicationContext,
  projects: readonly PreparedProject[],
): Promise<StoredProjectRow[]> {
  const missing = new Map<string, DepartmentRow>()
  const keyed = projects.map(({ row }) => {
    const department = departmentOf(row)
    const key = toDepartmentKey(department)
    if (!context.departments.has(key)) missing.set(key, department)
    return { row, key }
  })
  const ids = await resolveDepartmentIds(tx, [...missing.values()])
  for (const [index, key] of [...missing.keys()].entries()) context.departments.set(key, ids[index]!)
  return keyed.map(({ row, key }) => ({ ...row, department_id: context.departments.get(key)! }))
}
