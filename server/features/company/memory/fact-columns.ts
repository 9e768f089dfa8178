import sql from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import { yieldToEventLoop } from '#server/engine/deadline.ts'
import { projectKey, RowByKey } from '#server/features/report/memory/project-key.ts'

/** Facts of one statement: about 10 ms, for which the embedded database, one session, holds everybody else up. */
const FACTS_A_STATEMENT = 5_000
/** Bytes of one fact in the columns below. */
const BYTES_A_FACT = 44

/** In `FactColumns.lastWin` and `decidedOn`: no day. */
export const NO_DAY = -0x8000_0000
const DAY_ZERO = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000

/** A day of the columns as ISO text. */
export const isoDay = (day: number): string => new Date(DAY_ZERO + day * DAY_MS).toISOString().slice(0, 10)

/** Bits of `FactColumns.flags`; the lowest two are the coverage. */
export const COVERAGE = 3
export const IS_WINNER = 4
export const IS_DECIDED = 8
export const IS_AGAINST_BUDGET = 16

/**
 * Every fact of `company_projects`, by company and project: same place, same fact. Companies and projects are numbered from 0 on; 37 bytes a fact,
 * 32 MB for the 858,524 facts of a fiscal year.
 */
export type FactColumns = {
  readonly size: number
  /** Ids of the companies, ascending. The facts of `companyIds[i]` stand from `starts[i]` up to `starts[i + 1]`. */
  readonly companyIds: Int32Array
  readonly starts: Int32Array
  readonly company: Int32Array
  readonly project: Int32Array
  readonly department: Int32Array
  /** 0: unknown, as province. */
  readonly year: Int16Array
  readonly province: Int16Array
  /** Numbers of `match_values`. */
  readonly method: Int16Array
  readonly methodType: Int16Array
  readonly flags: Uint8Array
  /** Satang; NaN: unknown. */
  readonly value: Float64Array
  readonly base: Float64Array
  /** Days since 2000, or `NO_DAY`. */
  readonly decidedOn: Int32Array
  /** Number of each project by `projectKey`. */
  readonly projects: RowByKey
  readonly projectCount: number
}

type Slice = {
  readonly n: number
  readonly company: string
  readonly project: string
  readonly department: string
  readonly year: string
  readonly province: string
  readonly method: string
  readonly type: string
  readonly flags: string
  readonly value: string
  readonly base: string
  readonly day: string
}
type Parsed = Record<Exclude<keyof Slice, 'n' | 'project'>, Float64Array> & { readonly project: Int32Array }

/** One text a column: reading 858,524 rows as objects takes three times as long. */
async function readSlice(db: Db, after: { readonly company: number; readonly project: string }): Promise<Slice> {
  const [slice] = await db.query<Slice>(sql`
    select count(*)::int as n, string_agg(f.company_id::text, ',') as company, string_agg(f.project_id, ',') as project,
      string_agg(f.department_id::text, ',') as department, string_agg(coalesce(f.fiscal_year, 0)::text, ',') as year,
      string_agg(coalesce(f.project_province, 0)::text, ',') as province, string_agg(f.method::text, ',') as method,
      string_agg(f.method_type::text, ',') as type,
      string_agg((f.coverage + case when f.is_winner then 4 else 0 end + case when f.is_decided then 8 else 0 end
        + case when f.is_against_budget then 16 else 0 end)::text, ',') as flags,
      string_agg(coalesce(f.value_satang::text, 'x'), ',') as value, string_agg(coalesce(f.discount_base_satang::text, 'x'), ',') as base,
      string_agg(coalesce((f.decided_on - date '2000-01-01')::text, ${String(NO_DAY)}::text), ',') as day
    from (
      select f.company_id, f.project_id, f.department_id, f.fiscal_year, f.project_province, f.method, f.method_type, f.coverage, f.is_winner,
        f.is_decided, f.value_satang, f.discount_base_satang, f.is_against_budget, f.decided_on
      from company_projects f where (f.company_id, f.project_id) > (${after.company}::int, ${after.project}::text)
      order by f.company_id, f.project_id limit ${FACTS_A_STATEMENT}::int
    ) f`)
  return slice!
}

const numbers = (text: string): Float64Array => Float64Array.from(text.split(','), Number)

/**
 * Reads all facts, slice after slice. Undefined when a project's id is no number, or when all together are more than `mostBytes`. `signal` stops
 * between two slices.
 */
export async function readFacts(
  db: Db,
  { mostBytes, signal }: { readonly mostBytes: number; readonly signal: AbortSignal },
): Promise<FactColumns | undefined> {
  const projects = new RowByKey()
  const slices: Parsed[] = []
  let [size, projectCount] = [0, 0]
  let after = { company: 0, project: '' }
  for (;;) {
    signal.throwIfAborted()
    const slice = await readSlice(db, after)
    if (slice.n === 0) break
    const ids = slice.project.split(',')
    const project = new Int32Array(slice.n)
    for (const [place, id] of ids.entries()) {
      const key = projectKey(id)
      if (key === undefined) return undefined
      let number = projects.get(key)
      if (number === undefined) {
        number = projectCount
        projectCount += 1
        projects.set(key, number)
      }
      project[place] = number
    }
    const { n: _, project: __, ...texts } = slice
    const parsed = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, numbers(text)]))
    slices.push({ ...(parsed as Record<Exclude<keyof Slice, 'n' | 'project'>, Float64Array>), project })
    size += slice.n
    if (size * BYTES_A_FACT + projects.heldBytes > mostBytes) return undefined
    if (slice.n < FACTS_A_STATEMENT) break
    after = { company: slices.at(-1)!.company.at(-1)!, project: ids.at(-1)! }
    await yieldToEventLoop()
  }
  return { ...columnsOf(slices, size), projects, projectCount }
}

function columnsOf(slices: readonly Parsed[], size: number): Omit<FactColumns, 'projects' | 'projectCount'> {
  function whole<A extends Int32Array | Int16Array | Uint8Array | Float64Array>(column: A, name: keyof Parsed): A {
    let at = 0
    for (const slice of slices) {
      column.set(slice[name], at)
      at += slice[name].length
    }
    return column
  }
  const company = whole(new Int32Array(size), 'company')
  const [ids, starts]: [number[], number[]] = [[], []]
  for (let fact = 0; fact < size; fact += 1) {
    const id = company[fact]!
    if (ids.at(-1) !== id) {
      ids.push(id)
      starts.push(fact)
    }
    company[fact] = ids.length - 1
  }
  return {
    size,
    companyIds: Int32Array.from(ids),
    starts: Int32Array.from([...starts, size]),
    company,
    project: whole(new Int32Array(size), 'project'),
    department: whole(new Int32Array(size), 'department'),
    year: whole(new Int16Array(size), 'year'),
    province: whole(new Int16Array(size), 'province'),
    method: whole(new Int16Array(size), 'method'),
    methodType: whole(new Int16Array(size), 'type'),
    flags: whole(new Uint8Array(size), 'flags'),
    value: whole(new Float64Array(size), 'value'),
    base: whole(new Float64Array(size), 'base'),
    decidedOn: whole(new Int32Array(size), 'day'),
  }
}

export const factBytes = ({ size, projects, companyIds }: FactColumns): number =>
  size * BYTES_A_FACT + projects.heldBytes + companyIds.byteLength * 2
