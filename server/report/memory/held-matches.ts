import { changesIn, dueKindAt } from './change-codes.ts'
import { endingPlaces } from './contract-ends.ts'
import type { HeldProjects } from './held-projects.ts'
import { type MatchSet, type MatchTab, placeOfRow, tabOf } from './match-set.ts'
import { FACTS_A_ROW, type ProjectColumns } from './project-columns.ts'
import { projectKey } from './project-key.ts'

/** Header counts of a tab regardless of filters, including hidden projects. */
export type TabCounts = {
  readonly new: number
  readonly updated: number
  readonly closing: number
  readonly comment: number
}

export type HeldTab = { readonly tab: MatchTab; readonly changes: Uint8Array; readonly counts: TabCounts }

/** Snapshot of a query: project version, latest loads (`LATEST_LOADS`) and day (days since 2000-01-01). */
export type Moment = { readonly projects: string; readonly latest: string | null; readonly today: number }

/** From this size, a tab caches its total counts and default order; below it, computing them takes less than 1 ms. */
const LARGE_TAB = 50_000
export const isLarge = ({ rows }: MatchTab): boolean => rows.length >= LARGE_TAB

const bytesKept = new WeakMap<MatchTab, number>()
export function noteKept(tab: MatchTab, bytes: number): void {
  bytesKept.set(tab, (bytesKept.get(tab) ?? 0) + bytes)
}
const gathered = new WeakMap<MatchTab, Int32Array>()

/**
 * Copies the facts of a tab's matches into one contiguous array, `FACTS_A_ROW` per place. Matches are scattered over a
 * million projects: each random read of `columns.facts` costs 90 ns, and every facet of every query reads all of them.
 */
export function factsOf(tab: MatchTab, { facts, size }: ProjectColumns): Int32Array {
  // In the tab of all projects, place equals row.
  if (tab.rows.length === size) return facts
  const known = gathered.get(tab)
  if (known) return known
  const own = new Int32Array(tab.rows.length * FACTS_A_ROW)
  for (let place = 0; place < tab.rows.length; place += 1) {
    const from = tab.rows[place]! * FACTS_A_ROW
    for (let i = 0; i < FACTS_A_ROW; i += 1) own[place * FACTS_A_ROW + i] = facts[from + i]!
  }
  gathered.set(tab, own)
  noteKept(tab, own.byteLength)
  return own
}

/** One organisation's matches with lazily derived data for the current snapshot. */
export class HeldMatches {
  readonly set: MatchSet
  readonly #columns: ProjectColumns
  #moment: Moment | undefined
  readonly #tabs = new Map<boolean | undefined, HeldTab>()
  #ending: HeldTab | undefined

  constructor(set: MatchSet, columns: ProjectColumns) {
    this.set = set
    this.#columns = columns
  }

  /**
   * 33 bytes per match: four numbers in the set and its tabs, plus the change code. Caches of tabs (`noteKept`) are
   * added.
   */
  get heldBytes(): number {
    let kept = 0
    for (const { tab } of this.#tabs.values()) kept += bytesKept.get(tab) ?? 0
    return 1_000 + this.set.size * 33 + kept
  }

  isOf(columns: ProjectColumns): boolean {
    return this.#columns === columns
  }

  #moveTo(moment: Moment): void {
    const last = this.#moment
    if (last?.projects === moment.projects && last.latest === moment.latest && last.today === moment.today) return
    this.#tabs.clear()
    this.#ending = undefined
    this.#moment = moment
  }

  /** Both tabs if `isArchived` is undefined. The columns must be at version `moment.projects`. */
  tabAt(moment: Moment, isArchived: boolean | undefined): HeldTab {
    this.#moveTo(moment)
    const known = this.#tabs.get(isArchived)
    if (known) return known
    const tab = tabOf(this.set, this.#columns, isArchived)
    const changes = changesIn(tab, this.#columns, moment.latest)
    const held = { tab, changes, counts: countTab({ tab, changes }, this.#columns, undefined, moment.today) }
    this.#tabs.set(isArchived, held)
    return held
  }

  endingAt(moment: Moment, days: number): HeldTab {
    const { tab, changes } = this.tabAt(moment, undefined)
    const { today } = moment
    this.#ending ??= placesOf(
      { tab, changes },
      this.#columns,
      moment,
      endingPlaces(tab.rows, this.#columns.contractEnds, today, today + days),
    )
    return this.#ending
  }
}

/** Counts these places of a tab, or all if undefined. */
export function countTab(
  { tab, changes }: Pick<HeldTab, 'tab' | 'changes'>,
  columns: ProjectColumns,
  places: Int32Array | undefined,
  today: number,
): TabCounts {
  const counts = { new: 0, updated: 0, closing: 0, comment: 0 }
  const size = places?.length ?? tab.rows.length
  for (let i = 0; i < size; i += 1) {
    const place = places ? places[i]! : i
    const row = tab.rows[place]!
    if (changes[place] === 1) counts.new += 1
    else if (changes[place] === 2) counts.updated += 1
    const due = dueKindAt(columns, row, today)
    if (due) counts[due] += 1
  }
  return counts
}

/** Restricts a tab to these projects, so a query about few of them does not scan all matches. */
export function partOf(
  held: Pick<HeldTab, 'tab' | 'changes'>,
  columns: ProjectColumns,
  moment: Moment,
  projectIds: readonly string[],
): HeldTab {
  const found = new Set<number>()
  for (const id of projectIds) {
    const row = rowOf(columns, id)
    const place = row === undefined ? -1 : placeOfRow(held.tab, row)
    if (place !== -1) found.add(place)
  }
  return placesOf(held, columns, moment, Int32Array.from(found).sort())
}

function placesOf(
  { tab, changes }: Pick<HeldTab, 'tab' | 'changes'>,
  columns: ProjectColumns,
  { today }: Moment,
  places: Int32Array,
): HeldTab {
  const part = {
    tab: {
      rows: places.map((place) => tab.rows[place]!),
      firstLoads: places.map((place) => tab.firstLoads[place]!),
      changedLoads: places.map((place) => tab.changedLoads[place]!),
      words: places.map((place) => tab.words[place]!),
    },
    changes: Uint8Array.from(places, (place) => changes[place]!),
  }
  return { ...part, counts: countTab(part, columns, undefined, today) }
}

const wholes = new WeakMap<HeldProjects, HeldTab>()

/** All projects as one tab where place equals row, without match data. Cached per projects version. */
export function wholeOf(projects: HeldProjects): HeldTab {
  const known = wholes.get(projects)
  if (known) return known
  const { size } = projects.columns
  const none = new Int32Array(0)
  const tab = {
    rows: Int32Array.from({ length: size }, (_, row) => row),
    firstLoads: none,
    changedLoads: none,
    words: none,
  }
  const held = {
    tab,
    changes: new Uint8Array(0),
    counts: { new: 0, updated: 0, closing: 0, comment: 0 },
  }
  wholes.set(projects, held)
  return held
}

export function rowOf(columns: ProjectColumns, projectId: string): number | undefined {
  const key = projectKey(projectId)
  return key === undefined ? undefined : columns.rowOf(key)
}
