import { encodeProjectKey } from '#server/platform/text/project-key.ts'
import { computeChangeCodes, getNearDeadlineKindAtRow } from './change-codes.ts'
import { findPositionsOfContractsEndingBetween } from './ending-contracts.ts'
import { findRowPosition, type MatchSet, type ReportTabMatches, selectReportTabMatches } from './match-set.ts'
import type { CachedProjects } from './project-cache.ts'
import { PACKED_NUMBERS_PER_PROJECT, type ProjectColumns } from './project-columns.ts'

export type ReportTabStatusCounts = {
  readonly new: number
  readonly updated: number
  readonly closing: number
  readonly comment: number
}

export type CachedReportTabMatches = {
  readonly tab: ReportTabMatches
  readonly changes: Uint8Array
  readonly counts: ReportTabStatusCounts
}

/**
 * Version of the data that a tab was computed from: projects, latest loads (`LATEST_DATA_LOADS_TEXT_SQL`) and day (days since
 * 2000-01-01).
 */
export type ReportTabMatchesVersion = {
  readonly projects: string
  readonly latest: string | null
  readonly today: number
}

const cacheBytes = new WeakMap<ReportTabMatches, number>()
export function recordReportTabCacheBytes(tab: ReportTabMatches, bytes: number): void {
  cacheBytes.set(tab, (cacheBytes.get(tab) ?? 0) + bytes)
}
const contiguousFacts = new WeakMap<ReportTabMatches, Int32Array>()

/**
 * Copies the facts of a tab's matches into one contiguous array, `PACKED_NUMBERS_PER_PROJECT` per position. Matches are scattered over
 * a million projects: each random read of `columns.facts` costs 90 ns, and every facet of every query reads all of
 * them.
 */
export function getReportTabPackedProjects(tab: ReportTabMatches, { facts, size }: ProjectColumns): Int32Array {
  // If the tab contains all projects, positions equal rows, so the facts are already contiguous.
  if (tab.rows.length === size) return facts
  const cached = contiguousFacts.get(tab)
  if (cached) return cached
  const contiguous = new Int32Array(tab.rows.length * PACKED_NUMBERS_PER_PROJECT)
  for (let position = 0; position < tab.rows.length; position += 1) {
    const from = tab.rows[position]! * PACKED_NUMBERS_PER_PROJECT
    for (let i = 0; i < PACKED_NUMBERS_PER_PROJECT; i += 1)
      contiguous[position * PACKED_NUMBERS_PER_PROJECT + i] = facts[from + i]!
  }
  contiguousFacts.set(tab, contiguous)
  recordReportTabCacheBytes(tab, contiguous.byteLength)
  return contiguous
}

export class CachedMatches {
  readonly set: MatchSet
  readonly #columns: ProjectColumns
  #version: ReportTabMatchesVersion | undefined
  readonly #tabs = new Map<boolean | undefined, CachedReportTabMatches>()
  #ending: CachedReportTabMatches | undefined

  constructor(set: MatchSet, columns: ProjectColumns) {
    this.set = set
    this.#columns = columns
  }

  /**
   * Estimated memory: 33 bytes per match (four numbers in the set and its tabs, plus the change code), plus the caches
   * of the tabs (`recordReportTabCacheBytes`).
   */
  get usedBytes(): number {
    let tabBytes = 0
    for (const { tab } of this.#tabs.values()) tabBytes += cacheBytes.get(tab) ?? 0
    return 1_000 + this.set.size * 33 + tabBytes
  }

  isOf(columns: ProjectColumns): boolean {
    return this.#columns === columns
  }

  #switchTo(version: ReportTabMatchesVersion): void {
    const last = this.#version
    if (last?.projects === version.projects && last.latest === version.latest && last.today === version.today) return
    this.#tabs.clear()
    this.#ending = undefined
    this.#version = version
  }

  /**
   * Returns the active or the archived matches, or all of them if `isArchived` is undefined. The columns must be at the
   * version `version.projects`.
   */
  tabAt(version: ReportTabMatchesVersion, isArchived: boolean | undefined): CachedReportTabMatches {
    this.#switchTo(version)
    const cached = this.#tabs.get(isArchived)
    if (cached) return cached
    const tab = selectReportTabMatches(this.set, this.#columns, isArchived)
    const changes = computeChangeCodes(tab, this.#columns, version.latest)
    const cachedTab = {
      tab,
      changes,
      counts: countReportTabMatchesByStatus({ tab, changes }, this.#columns, undefined, version.today),
    }
    this.#tabs.set(isArchived, cachedTab)
    return cachedTab
  }

  endingAt(version: ReportTabMatchesVersion, days: number): CachedReportTabMatches {
    const { tab, changes } = this.tabAt(version, undefined)
    const { today } = version
    this.#ending ??= tabOfPositions(
      { tab, changes },
      this.#columns,
      version,
      findPositionsOfContractsEndingBetween(tab.rows, this.#columns.contractEnds, today, today + days),
    )
    return this.#ending
  }
}

export function countReportTabMatchesByStatus(
  { tab, changes }: Pick<CachedReportTabMatches, 'tab' | 'changes'>,
  columns: ProjectColumns,
  positions: Int32Array | undefined,
  today: number,
): ReportTabStatusCounts {
  const counts = { new: 0, updated: 0, closing: 0, comment: 0 }
  const size = positions?.length ?? tab.rows.length
  for (let i = 0; i < size; i += 1) {
    const position = positions ? positions[i]! : i
    const row = tab.rows[position]!
    if (changes[position] === 1) counts.new += 1
    else if (changes[position] === 2) counts.updated += 1
    const due = getNearDeadlineKindAtRow(columns, row, today)
    if (due) counts[due] += 1
  }
  return counts
}

export function restrictReportTabToProjects(
  source: Pick<CachedReportTabMatches, 'tab' | 'changes'>,
  columns: ProjectColumns,
  version: ReportTabMatchesVersion,
  projectIds: readonly string[],
): CachedReportTabMatches {
  const positions = new Set<number>()
  for (const id of projectIds) {
    const row = findProjectRow(columns, id)
    const position = row === undefined ? -1 : findRowPosition(source.tab, row)
    if (position !== -1) positions.add(position)
  }
  return tabOfPositions(source, columns, version, Int32Array.from(positions).sort())
}

function tabOfPositions(
  { tab, changes }: Pick<CachedReportTabMatches, 'tab' | 'changes'>,
  columns: ProjectColumns,
  { today }: ReportTabMatchesVersion,
  positions: Int32Array,
): CachedReportTabMatches {
  const part = {
    tab: {
      rows: positions.map((position) => tab.rows[position]!),
      firstLoads: positions.map((position) => tab.firstLoads[position]!),
      changedLoads: positions.map((position) => tab.changedLoads[position]!),
      words: positions.map((position) => tab.words[position]!),
    },
    changes: Uint8Array.from(positions, (position) => changes[position]!),
  }
  return { ...part, counts: countReportTabMatchesByStatus(part, columns, undefined, today) }
}

const tabsOfAllProjects = new WeakMap<CachedProjects, CachedReportTabMatches>()

/**
 * Returns all projects as one tab in which position equals row, without match data. Cached per version of the projects.
 */
export function createAllProjectsTabMatches(projects: CachedProjects): CachedReportTabMatches {
  const cached = tabsOfAllProjects.get(projects)
  if (cached) return cached
  const { size } = projects.columns
  const noValues = new Int32Array(0)
  const tab = {
    rows: Int32Array.from({ length: size }, (_, row) => row),
    firstLoads: noValues,
    changedLoads: noValues,
    words: noValues,
  }
  const cachedTab = {
    tab,
    changes: new Uint8Array(0),
    counts: { new: 0, updated: 0, closing: 0, comment: 0 },
  }
  tabsOfAllProjects.set(projects, cachedTab)
  return cachedTab
}

export function findProjectRow(columns: ProjectColumns, projectId: string): number | undefined {
  const key = encodeProjectKey(projectId)
  return key === undefined ? undefined : columns.rowOf(key)
}
