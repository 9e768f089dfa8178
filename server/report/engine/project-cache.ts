import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { getProjectFact, REPORT_FACT_NAMES } from '#contract/catalogue/project-facts.ts'
import type { SearchNode, SearchTerm } from '#contract/search/search-grammar.ts'
import { type NormalisedSearchTerm, toNormalisedSearchTerm } from '#contract/search/search-term.ts'
import { activeContractEndDatesSql } from '#server/catalogue/contract/contract-ends-sql.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { withoutDeadlineForRequest, yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { estimatedRowsSql } from '#server/platform/engine/estimated-rows.ts'
import { suppressUnhandledRejection } from '#server/platform/engine/process-in-batches.ts'
import { SharedResultCache } from '#server/platform/route/shared-result-cache.ts'
import { isBudgetInDoubtSql } from '#server/platform/text/doubt-sql.ts'
import {
  createLiteralNeedle,
  createTextNeedle,
  type EncodedTextIndex,
  isRowInAllBitmaps,
  TEXTS_SCANNED_PER_YIELD,
  type TextNeedle,
} from '#server/platform/text/encoded-text-index.ts'
import { evaluateSearch } from '#server/platform/text/evaluate-search.ts'
import { decodeProjectKey } from '#server/platform/text/project-key.ts'
import type { SemanticSearchSubstrings } from '#server/report/deep/expand-semantic-search.ts'
import type { SemanticSearchCandidate } from '#server/report/deep/run-deep-search.ts'
import type { SearchedTextField } from '#server/report/report-queries.ts'
import {
  CACHED_FACT_TYPES,
  type CachedProjectRow,
  ProjectColumns,
  type ProjectRowColumns,
  type ReportDepartmentRow,
} from './project-columns.ts'
import { findProjectRow, findRowPosition } from './report-tab.ts'

/**
 * A statement of this size takes about 10 ms. The embedded database has a single session, so a longer statement would
 * block everyone else.
 */
const ROWS_PER_STATEMENT = 2_000
/**
 * Number of newest loads that a process compares with its own state. If it missed more loads, it reads all projects
 * again. A busy night has 1,600 loads.
 */
const MAX_TRACKED_LOADS = 2_000
const ROWS_PER_SLICE = 500

type ProjectDataState = {
  readonly version: string
  readonly writes: number
  readonly published: readonly number[]
  /** True while a load is being published in parts (decision 0036). */
  readonly isFilling: boolean
  readonly estimate: number
}

async function loadProjectDataState(db: Db): Promise<ProjectDataState> {
  const [state] = await db.query<ProjectDataState>(sql`
    select v.version::text as version, v.writes,
      array(select l.id from loads l where l.state = 'published' order by l.published_at desc nulls last, l.id desc limit ${MAX_TRACKED_LOADS}::int) as published,
      exists (select from loads l where l.state = 'publishing' and l.published_at is not null) as "isFilling",
      ${estimatedRowsSql('projects')} as estimate
    from project_version v`)
  return state!
}

/**
 * Returns those of these loads that wrote at least one project, even if later loads have overwritten all its projects.
 */
async function findDataLoadsWithProjects(db: Db, loads: readonly number[]): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select l.id from loads l
    where l.id = any (${[...loads]}::bigint[]) and coalesce(l.wrote_projects, exists (select from projects p where p.written_load = l.id))
    order by l.id`)
  return rows.map(({ id }) => id)
}

const day = (column: Sql) => sql`(${column} - date '2000-01-01')`
const FACT_COLUMNS: readonly (readonly [string, Sql])[] = REPORT_FACT_NAMES.flatMap((name) => {
  const { column, type, departmentColumn } = getProjectFact(name)
  if (departmentColumn || !CACHED_FACT_TYPES.has(type)) return []
  const stored = sql`p.${raw(column)}`
  return [[column, type === 'day' ? day(stored) : stored]]
})
/** Fields of a project. Each page is read as one JSON array per column, which parses 22 values instead of 44,000. */
const FIELDS = {
  project_id: sql`p.project_id`,
  name_spaced: sql`p.name_spaced`,
  department_id: sql`p.department_id`,
  is_budget_in_doubt: isBudgetInDoubtSql(sql`p`),
  winner_name: sql`p.winner_name`,
  other_winners: sql`p.other_winners`,
  contract_ends: activeContractEndDatesSql(day(sql`c.ends_on`)),
  ...Object.fromEntries(FACT_COLUMNS),
} as Readonly<Record<keyof CachedProjectRow, Sql>>
const FIELD_NAMES = Object.keys(FIELDS) as (keyof CachedProjectRow)[]
const SELECTED_FIELDS = join(FIELD_NAMES.map((name) => sql`${FIELDS[name]} as ${raw(name)}`))
const JSON_COLUMNS = join(FIELD_NAMES.map((name) => sql`coalesce(json_agg(page.${raw(name)}), '[]') as ${raw(name)}`))

/** Reads one page of projects. `condition` also contains the order. `name` names the prepared statement. */
async function readPage(db: Db, condition: Sql, name: string): Promise<CachedProjectRow[]> {
  const [page] = await db.query<ProjectRowColumns>(
    sql`select ${JSON_COLUMNS} from (select ${SELECTED_FIELDS} from projects p where ${condition}) page`,
    { name },
  )
  return toProjectRows(page!)
}

const readPageAfter = (db: Db, after: string, loadId: number | undefined) => {
  const ofLoad = loadId === undefined ? empty : sql`and p.written_load = ${loadId}::bigint`
  return readPage(
    db,
    sql`p.project_id > ${after}::text ${ofLoad} order by p.project_id limit ${ROWS_PER_STATEMENT}::int`,
    loadId === undefined ? 'projects_page' : 'projects_page_of_load',
  )
}

/** Yields all pages; the database prepares the next one while one is inserted. */
async function* readPages(db: Db, loadId: number | undefined): AsyncGenerator<CachedProjectRow[]> {
  let reading = suppressUnhandledRejection(readPageAfter(db, '', loadId))
  for (;;) {
    const rows = await reading
    const isLast = rows.length < ROWS_PER_STATEMENT
    if (!isLast) reading = suppressUnhandledRejection(readPageAfter(db, rows.at(-1)!.project_id, loadId))
    yield rows
    if (isLast) return
  }
}

function toProjectRows(page: ProjectRowColumns): CachedProjectRow[] {
  return page.project_id.map((_, at) => {
    const project: Partial<Record<keyof CachedProjectRow, CachedProjectRow[keyof CachedProjectRow]>> = {}
    for (const name of FIELD_NAMES) project[name] = page[name]?.[at] ?? null
    return project as CachedProjectRow
  })
}

/** Departments are added but never changed. */
async function putNewDepartments(
  db: Db,
  columns: ProjectColumns,
  projects: readonly CachedProjectRow[],
): Promise<void> {
  const ids = new Set(projects.map((project) => project.department_id))
  const missing = [...ids].filter((id) => columns.departments.find(id) === undefined)
  if (missing.length === 0) return
  const rows = await db.query<ReportDepartmentRow>(sql`
    select id, name, sub_name, province from departments where id = any (${missing}::int[])`)
  for (const row of rows) columns.addDepartment(row)
}

/**
 * Inserts the projects of one load, or all projects, into the columns page by page. Returns their number, or undefined
 * if the columns exceed `maxBytes`. `signal` aborts between two pages.
 */
export async function loadProjectsIntoColumns(
  db: Db,
  columns: ProjectColumns,
  { loadId, signal, maxBytes }: { loadId?: number; signal: AbortSignal; maxBytes: number },
): Promise<number | undefined> {
  let insertedCount = 0
  signal.throwIfAborted()
  for await (const rows of readPages(db, loadId)) {
    signal.throwIfAborted()
    await putNewDepartments(db, columns, rows)
    for (const row of rows) {
      columns.put(row)
      insertedCount += 1
      if (insertedCount % ROWS_PER_SLICE === 0) await yieldToEventLoop()
    }
    if (columns.usedBytes > maxBytes) return undefined
  }
  return insertedCount
}

export type CachedProjects = {
  readonly columns: ProjectColumns
  readonly words: TermOccurrenceCache
  readonly version: string
}

/**
 * In-memory columns of the public data of all projects, updated after each load. `current` is undefined while they are
 * incomplete: before the first read and while a load is being applied.
 */
export class ProjectCache {
  current: CachedProjects | undefined
  readonly #db: Db
  readonly #maxBytes: number
  readonly #signal: AbortSignal
  isReadingAll = false
  #columns = new ProjectColumns()
  #words = new TermOccurrenceCache(this.#columns)
  #applied: ProjectDataState | undefined
  #refused: string | undefined

  constructor(db: Db, { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal }) {
    this.#db = db
    this.#maxBytes = maxBytes
    this.#signal = signal
  }

  get usedBytes(): number {
    return this.#columns.usedBytes + this.#words.usedBytes
  }

  /** Updates the columns to the current database state. The caller must not run two updates at once. */
  async refresh(): Promise<void> {
    try {
      await this.#catchUp()
    } finally {
      this.isReadingAll = false
    }
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      const state = await loadProjectDataState(this.#db)
      // A load is being published in parts, or the projects, unchanged since, exceeded the memory budget.
      if (state.isFilling || state.version === this.#refused) return
      if (state.version === this.current?.version) return
      if (state.version === this.#applied?.version) {
        this.current = { columns: this.#columns, words: this.#words, version: state.version }
        return
      }
      this.current = undefined
      if (!(await this.#applyChanges(state))) {
        this.#reset()
        this.#refused = state.version
        return
      }
    }
  }

  /**
   * Applies the changes between the applied state and `state`. The caller compares versions again afterwards and so
   * detects writes made meanwhile.
   */
  async #applyChanges(state: ProjectDataState): Promise<boolean> {
    const loads = this.#applied && (await loadsSince(this.#db, this.#applied, state))
    // Forget the applied state until everything is applied, so that after a failure the next read starts from scratch.
    this.#applied = undefined
    if (!loads || !(await this.#putLoads(loads))) {
      this.#reset()
      this.isReadingAll = true
      this.#columns.reserve(Math.ceil(state.estimate * 1.02) + 1_024)
      if (!(await this.#put())) return false
    }
    // Not before the update: a query that is still running would cache what it found in half-updated columns.
    this.#words.clear()
    this.#applied = state
    return true
  }

  async #putLoads(loads: readonly number[]): Promise<boolean> {
    for (const loadId of loads) if (!(await this.#put({ loadId }))) return false
    return true
  }

  async #put(of: { readonly loadId?: number } = {}): Promise<boolean> {
    const options = { ...of, signal: this.#signal, maxBytes: this.#maxBytes }
    return (await loadProjectsIntoColumns(this.#db, this.#columns, options)) !== undefined
  }

  #reset(): void {
    this.#columns = new ProjectColumns()
    this.#words = new TermOccurrenceCache(this.#columns)
    this.#applied = undefined
  }
}

/**
 * Returns the loads that wrote projects between two states; each load is one transaction. Undefined if another kind of
 * write happened too, because its changes cannot be identified.
 */
async function loadsSince(db: Db, before: ProjectDataState, now: ProjectDataState): Promise<number[] | undefined> {
  const knownLoads = new Set(before.published)
  const loads = await findDataLoadsWithProjects(
    db,
    now.published.filter((id) => !knownLoads.has(id)),
  )
  return now.writes - before.writes === loads.length ? loads : undefined
}

/**
 * Reports with a smaller share of all projects are searched row by row. For larger ones, a term is searched in all
 * titles, and organisations share the result. Both are cached, because a page, its facets and every further filter
 * search the same term.
 */
const MAX_SHARE_SEARCHED_BY_ROW = 0.6
const MAX_CACHE_BYTES = 48 * 2 ** 20
/** Estimated, for key and promise: the bits of a small report alone would let the cache hold millions of entries. */
const BYTES_PER_ENTRY = 400
const NAMES_PER_SLICE = 5_000

/**
 * Cached term occurrences: one bit per title, department or text of winners, or per row of one small report. The texts
 * are public, so all organisations share the cache. LRU; cleared when projects change.
 */
export class TermOccurrenceCache {
  readonly #columns: ProjectColumns
  readonly #cache = new SharedResultCache<Uint32Array>({
    maxBytes: MAX_CACHE_BYTES,
    bytesOf: ({ byteLength }) => byteLength + BYTES_PER_ENTRY,
  })

  constructor(columns: ProjectColumns) {
    this.#columns = columns
  }

  get usedBytes(): number {
    return this.#cache.bytes
  }

  clear(): void {
    this.#cache.clear()
  }

  /** Returns 1 for each of the rows whose texts match. */
  async find(node: SearchNode, texts: readonly SearchedTextField[], rows: Int32Array): Promise<Uint8Array> {
    return evaluateSearch(node, (term) => this.#findTerm(term, texts, rows))
  }

  /**
   * Returns the same as `loadSemanticSearchCandidates`, computed from the names of these rows. The database takes 30 ms
   * for 2,000 matches.
   */
  async findSemanticSearchCandidates(
    { standalone, sides }: SemanticSearchSubstrings,
    rows: Int32Array,
  ): Promise<SemanticSearchCandidate[]> {
    const { keys, titles, size } = this.#columns
    const among = new Uint32Array((size + 31) >>> 5)
    for (const row of rows) among[row >>> 5]! |= 1 << (row & 31)
    const matchingRows = await this.#findLetters(standalone, among)
    if (sides.length > 0) {
      let together: Uint32Array = among
      for (const side of sides) together = await this.#findLetters(side, together)
      for (let word = 0; word < matchingRows.length; word += 1) matchingRows[word]! |= together[word]!
    }
    const candidates: SemanticSearchCandidate[] = []
    for (const row of rows) {
      if ((matchingRows[row >>> 5]! & (1 << (row & 31))) === 0) continue
      candidates.push({ project_id: decodeProjectKey(keys[row]!), name_search: titles.textOf(row) })
      if (candidates.length % NAMES_PER_SLICE === 0) await yieldToEventLoop()
    }
    return candidates
  }

  /** Returns the rows of `among` whose title contains any of the texts. */
  async #findLetters(forms: readonly string[], among: Uint32Array): Promise<Uint32Array> {
    const { titles, size } = this.#columns
    const remaining = among.slice()
    for (const form of forms) {
      const rows = await titles.find(createLiteralNeedle(form), size, remaining)
      for (let word = 0; word < rows.length; word += 1) remaining[word]! &= ~rows[word]!
      await yieldToEventLoop()
    }
    return among.map((bits, word) => bits & ~remaining[word]!)
  }

  async #findTerm(node: SearchTerm, texts: readonly SearchedTextField[], rows: Int32Array): Promise<Uint8Array> {
    const term = toNormalisedSearchTerm(node)
    const matches = new Uint8Array(rows.length)
    if (term.form === '') return matches
    const { departments, department, winners, winner } = this.#columns
    if (texts.includes('name')) await this.#markTitles(matches, term, rows)
    if (texts.includes('department'))
      markTexts(matches, await this.#find('department', term, departments.index, departments.size), department, rows)
    if (texts.includes('winner'))
      markTexts(matches, await this.#find('winner', term, winners.index, winners.size), winner, rows)
    if (texts.includes('number')) this.#markNumber(matches, term, rows)
    await yieldToEventLoop()
    return matches
  }

  async #markTitles(matches: Uint8Array, term: NormalisedSearchTerm, rows: Int32Array): Promise<void> {
    const { titles, size } = this.#columns
    const key = cacheKey('name', term)
    if (rows.length > size * MAX_SHARE_SEARCHED_BY_ROW || this.#cache.has(key))
      return markRows(matches, await this.#find('name', term, titles, size), rows)
    const keyOfRows = `${getRowsId(rows)} ${key}`
    const searchRows = () => this.#searchRows(createTextNeedle(term), rows)
    const bits = await (this.#cache.get(keyOfRows) ?? this.#cache.add(keyOfRows, withoutDeadlineForRequest(searchRows)))
    for (let at = 0; at < rows.length; at += 1) matches[at] = (bits[at >>> 5]! >>> (at & 31)) & 1
  }

  /** Returns one bit per entry of `rows`. */
  async #searchRows(needle: TextNeedle, rows: Int32Array): Promise<Uint32Array> {
    const { titles } = this.#columns
    const bits = new Uint32Array((rows.length + 31) >>> 5)
    const sieves = titles.sieves(needle)
    let checkedCount = 0
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at]!
      if (!isRowInAllBitmaps(sieves, row)) continue
      if (titles.contains(row, needle)) bits[at >>> 5]! |= 1 << (at & 31)
      checkedCount += 1
      if (checkedCount % TEXTS_SCANNED_PER_YIELD === 0) await yieldToEventLoop()
    }
    return bits
  }

  /**
   * Marks the project whose number the term is. Project numbers consist only of digits and terms match at digit
   * boundaries, so a term matches only the whole number.
   */
  #markNumber(matches: Uint8Array, { form }: NormalisedSearchTerm, rows: Int32Array): void {
    const row = findProjectRow(this.#columns, form)
    const position = row === undefined ? -1 : findRowPosition({ rows }, row)
    if (position !== -1) matches[position] = 1
  }

  /**
   * Returns one bit per text, cached per term. All waiting queries share the computation, so it runs without the first
   * caller's deadline.
   */
  #find(
    kind: SearchedTextField,
    term: NormalisedSearchTerm,
    texts: EncodedTextIndex,
    size: number,
  ): Promise<Uint32Array> {
    const key = cacheKey(kind, term)
    return (
      this.#cache.get(key) ??
      this.#cache.add(
        key,
        withoutDeadlineForRequest(() => texts.find(createTextNeedle(term), size)),
      )
    )
  }
}

const rowsIds = new WeakMap<Int32Array, number>()
let lastRowsId = 0

/** Returns a number unique to this list, because a cache key must not keep the list itself in memory. */
function getRowsId(rows: Int32Array): number {
  const existing = rowsIds.get(rows)
  if (existing !== undefined) return existing
  lastRowsId += 1
  rowsIds.set(rows, lastRowsId)
  return lastRowsId
}

const cacheKey = (kind: SearchedTextField, { quoted, form }: NormalisedSearchTerm) => `${kind} ${quoted} ${form}`

function markRows(matches: Uint8Array, bits: Uint32Array, rows: Int32Array): void {
  for (let at = 0; at < rows.length; at += 1) {
    const row = rows[at]!
    matches[at] = (bits[row >>> 5]! >>> (row & 31)) & 1
  }
}

function markTexts(matches: Uint8Array, bits: Uint32Array, numbers: Int32Array, rows: Int32Array): void {
  for (let at = 0; at < rows.length; at += 1) {
    const number = numbers[rows[at]!]!
    matches[at] = matches[at]! | ((bits[number >>> 5]! >>> (number & 31)) & 1)
  }
}
