import sql from 'sql-template-tag'
import { CLOSING_SOON_DAYS, NEAR_DEADLINE_KINDS, type NearDeadlineKind } from '#contract/catalogue/bid-state.ts'
import {
  MAX_MORNING_QUEUE_SECTION_SIZE,
  MORNING_QUEUE_KINDS,
  type MorningFigures,
} from '#contract/report/morning-queue.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { addWorkingDays } from '#contract/thai/working-day.ts'
import { createLatestDataLoadPredicate, LATEST_DATA_LOAD_ID_SQL } from '#server/matching/latest-loads.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { decodeProjectKey } from '#server/platform/text/project-key.ts'
import { toPackedDay } from '#server/report/packed-row.ts'
import type { ReportScope, StoredMorningQueue } from '#server/report/report-queries.ts'
import type { InMemoryReportQuery } from './in-memory-report-query.ts'
import { getSortedRowsPage } from './page-order.ts'
import type { ProjectColumns } from './project-columns.ts'
import type { ReportCache } from './report-cache.ts'
import { readColumnsAtReportSnapshot } from './report-snapshot.ts'
import { findProjectPosition, getNearDeadlineKindAtRow } from './report-tab.ts'

/** The user's latest decision about a project; `day` is in days since 2000-01-01. */
type Decision = { readonly load: number; readonly day: number }

type QueueInputs = {
  readonly load_id: number | null
  readonly data_time: string | null
  readonly decisions: readonly (readonly [id: string, load: number, day: number])[]
}

const queueInputsSql = ({ userId }: ReportScope) => sql`
  ${LATEST_DATA_LOAD_ID_SQL} as load_id, (select l.published_at from loads l where l.id = ${LATEST_DATA_LOAD_ID_SQL}) as data_time, (
    select coalesce(json_agg(json_build_array(d.project_id, d.load_id, d.decided_on - date '2000-01-01')), '[]') from (
      select q.project_id, max(q.load_id) as load_id, max(q.decided_on) as decided_on
      from queue_decisions q where q.user_id = ${userId}::int group by q.project_id
    ) d
  ) as decisions`

/** Returns the same as `loadMorningQueue`; undefined means that the caller must fall back to SQL. */
export async function findMorningQueue(
  db: Db,
  memory: ReportCache,
  search: ReportSearch,
  scope: ReportScope,
): Promise<StoredMorningQueue | undefined> {
  const prepared = await memory.prepare(search, scope, 'asked')
  if (!prepared) return undefined
  const { query, snapshot } = prepared
  const { failed } = await prepared.masks()
  const inputs = await readColumnsAtReportSnapshot<QueueInputs>(db, scope, snapshot, {
    name: 'report_queue',
    columns: queueInputsSql(scope),
  })
  if (!inputs || !prepared.isCurrent()) return undefined
  const { sections, near } = sectionsOf(query, {
    failed,
    visited: getVisitedLoads(memory, query),
    decisions: decisionsByPosition(query, inputs),
    latest: snapshot.latest,
  })
  const picked = (isDecided: boolean) => sections.map((section, i) => firstIds(section[Number(isDecided)]!, i, query))
  return {
    load_id: inputs.load_id,
    data_time: inputs.data_time,
    totals: sections.map((section) => section[0].length + section[1].length),
    decided: picked(true),
    undecided: picked(false),
    near,
  }
}

/** Returns the same as `loadMorningFigures`; undefined means that the caller must fall back to SQL. */
export async function countMorningFigures(
  db: Db,
  memory: ReportCache,
  searches: readonly ReportSearch[],
  scope: ReportScope,
): Promise<MorningFigures | undefined> {
  const prepared = await memory.prepareAll(searches, scope)
  const [first] = prepared ?? []
  if (!prepared || !first) return undefined
  const inputs = await readColumnsAtReportSnapshot<QueueInputs>(db, scope, first.snapshot, {
    name: 'report_queue',
    columns: queueInputsSql(scope),
  })
  if (!inputs) return undefined
  const rowsByKind = MORNING_QUEUE_KINDS.map(() => new Set<number>())
  const [newRows, updatedRows] = rowsByKind as [Set<number>, Set<number>]
  for (const { query, masks, snapshot } of prepared) {
    const { failed } = await masks()
    const decisions = decisionsByPosition(query, inputs)
    for (const project of findQueueProjects(query, {
      failed,
      visited: getVisitedLoads(memory, query),
      decisions,
      latest: snapshot.latest,
    })) {
      const row = query.tab.rows[project.at]!
      if (project.isNew) newRows.add(row)
      else if (project.isUpdated) updatedRows.add(row)
      if (project.nearAt !== -1 && !project.isHidden) rowsByKind[2 + project.nearAt]!.add(row)
    }
  }
  if (!prepared.every((preparedQuery) => preparedQuery.isCurrent())) return undefined
  // One search may count changes since the last visit and another those of the latest load.
  for (const row of newRows) updatedRows.delete(row)
  return Object.fromEntries(MORNING_QUEUE_KINDS.map((kind, i) => [kind, rowsByKind[i]!.size])) as MorningFigures
}

function getVisitedLoads(memory: ReportCache, { search, visit }: InMemoryReportQuery): ReadonlySet<number> | undefined {
  const countsSinceVisit = memory.filters.getActiveFilters(search).some(({ filter }) => filter.countsSinceVisit)
  return countsSinceVisit && visit ? new Set(visit.loads) : undefined
}

function decisionsByPosition(
  { columns, tab }: InMemoryReportQuery,
  { decisions }: QueueInputs,
): ReadonlyMap<number, Decision> {
  const byPosition = new Map<number, Decision>()
  for (const [id, load, day] of decisions) {
    const position = findProjectPosition(tab, columns, id)
    if (position !== -1) byPosition.set(position, { load, day })
  }
  return byPosition
}

type SectionPositions = readonly [undecided: number[], decided: number[]]

type SectionInputs = {
  readonly failed: Uint8Array
  /** The loads that new and updated refer to, if not the latest. */
  readonly visited: ReadonlySet<number> | undefined
  readonly decisions: ReadonlyMap<number, Decision>
  readonly latest: string | null
}

function sectionsOf(
  query: InMemoryReportQuery,
  inputs: SectionInputs,
): { readonly sections: SectionPositions[]; readonly near: number[] } {
  const isLatest = createLatestDataLoadPredicate(inputs.latest)
  const isDecidedWhileNear = decidedWhileNearRule(query)
  const sections = MORNING_QUEUE_KINDS.map((): SectionPositions => [[], []])
  const near = NEAR_DEADLINE_KINDS.map(() => 0)
  for (const { at, isNew, isUpdated, due, nearAt, isHidden, decision } of findQueueProjects(query, inputs)) {
    if (nearAt !== -1 && !isHidden) near[nearAt]! += 1
    const isDecided =
      decision !== undefined &&
      (isNew
        ? decision.load >= query.tab.firstLoads[at]!
        : isUpdated
          ? decision.load >= query.tab.changedLoads[at]!
          : isDecidedWhileNear(due!, decision.day))
    // Decided in an earlier load while the deadline was already near, so not in this morning's queue.
    if (due !== undefined && isDecided && !isLatest(decision!.load)) continue
    sections[isNew ? 0 : isUpdated ? 1 : 2 + nearAt]![Number(isDecided) as 0 | 1].push(at)
  }
  return { sections, near }
}

type QueueProject = {
  readonly at: number
  readonly isNew: boolean
  readonly isUpdated: boolean
  /** Day of the near deadline of a project that is neither new nor updated. */
  readonly due: number | undefined
  /** Index in `NEAR_DEADLINE_KINDS`, or -1. */
  readonly nearAt: number
  readonly isHidden: boolean
  readonly decision: Decision | undefined
}

/**
 * Yields the projects of a queue before decisions apply, and those that the user hid while working through it, because
 * the progress counts them.
 */
function* findQueueProjects(
  query: InMemoryReportQuery,
  { failed, visited, decisions, latest }: SectionInputs,
): Generator<QueueProject> {
  const { columns, tab, hidden } = query
  const { kind, kinds } = columns
  const today = toPackedDay(query.today)
  const isLatest = createLatestDataLoadPredicate(latest)
  const inLoads = (load: number) => (visited ? visited.has(load) : isLatest(load))
  const hiddenFlags = new Uint8Array(tab.rows.length)
  for (const position of hidden) hiddenFlags[position] = 1
  for (let at = 0; at < failed.length; at += 1) {
    if (failed[at] !== 0) continue
    const row = tab.rows[at]!
    const [first, changed] = [tab.firstLoads[at]!, tab.changedLoads[at]!]
    const isNew = inLoads(first) && kinds.isAwarded[kind[row]!] === 0
    const isUpdated = !isNew && changed !== first && inLoads(changed)
    const dueKind = getNearDeadlineKindAtRow(columns, row, today)
    if (!isNew && !isUpdated && !dueKind) continue
    const decision = decisions.get(at)
    const isHidden = hiddenFlags[at] === 1
    if (isHidden && !(decision && isLatest(decision.load))) continue
    const due = dueKind && !isNew && !isUpdated ? dueDay(columns, row, dueKind) : undefined
    const nearAt = dueKind ? NEAR_DEADLINE_KINDS.indexOf(dueKind) : -1
    yield { at, isNew, isUpdated, due, nearAt, isHidden, decision }
  }
}

function dueDay({ days }: ProjectColumns, row: number, kind: NearDeadlineKind): number {
  return (kind === 'closing' ? days.submission_end_date : days.draft_discussion_end_date)[row]!
}

/** Returns a test of decisions by the same rule as `decidedWhileNear` in morning-queue-queries.ts. */
function decidedWhileNearRule({ today: isoToday }: InMemoryReportQuery): (due: number, decidedOn: number) => boolean {
  const today = toPackedDay(isoToday)
  const reminders = Array.from({ length: CLOSING_SOON_DAYS + 1 }, (_, days) =>
    toPackedDay(addWorkingDays(addDays(isoToday, days), -1)),
  )
  return (due, decidedOn) => {
    const reminder = reminders[due - today]!
    return decidedOn >= due - CLOSING_SOON_DAYS && (today < reminder || decidedOn >= reminder)
  }
}

function firstIds(positions: readonly number[], section: number, query: InMemoryReportQuery): string[] {
  const { columns, tab, search } = query
  const rows = positions.map((position) => tab.rows[position]!)
  const kind = NEAR_DEADLINE_KINDS.find((due) => due === MORNING_QUEUE_KINDS[section])
  const parts = kind ? byDueDay(rows, query, kind) : [rows]
  const ids: string[] = []
  for (const part of parts) {
    if (ids.length === MAX_MORNING_QUEUE_SECTION_SIZE) break
    const page = { ordering: search.ordering, from: 0, size: MAX_MORNING_QUEUE_SECTION_SIZE - ids.length }
    for (const row of getSortedRowsPage(Int32Array.from(part), page, query))
      ids.push(decodeProjectKey(columns.keys[row]!))
  }
  return ids
}

function byDueDay(rows: readonly number[], { columns }: InMemoryReportQuery, kind: NearDeadlineKind): number[][] {
  const days = Map.groupBy(rows, (row) => dueDay(columns, row, kind))
  return [...days].sort(([a], [b]) => a - b).map(([, dayRows]) => dayRows)
}
