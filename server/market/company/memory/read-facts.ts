import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'
import { yieldToEventLoop } from '#server/platform/engine/deadline.ts'
import { projectKey, RowByKey } from '#server/report/memory/project-key.ts'
import { BYTES_A_FACT, type CompanyColumns, type FactColumns, FLAGS, NO_DAY } from './fact-columns.ts'

/** Facts per statement: about 10 ms, during which the embedded database, a single session, blocks all other queries. */
const FACTS_A_STATEMENT = 5_000
/**
 * Last day of a contract without a known end; the database stores `infinity`. Later than any real day, so the contract
 * counts as running.
 */
const FOR_EVER = 0x7fff_ffff

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
  readonly decided: string
  readonly day: string
  readonly criteria: string
  readonly bid: string
  readonly reference: string
  /** Known contract amounts of each fact, joined by `+`. */
  readonly amounts: string
  /** End days of each fact's open contracts, joined by `+`. */
  readonly untils: string
}
type NumberColumn = Exclude<keyof Slice, 'n' | 'project' | 'amounts' | 'untils'>
type Parsed = Record<NumberColumn, Float64Array> & {
  readonly project: Int32Array
  readonly amounts: readonly Float64Array[]
  readonly untils: readonly Float64Array[]
}

/**
 * Reads one string per column: reading 858,524 rows as objects takes three times as long. `facts`: rows of
 * `company_projects` (alias `f`) by company and project.
 */
async function readSlice(db: Db, facts: Sql): Promise<Slice> {
  const [slice] = await db.query<Slice>(sql`
    select count(*)::int as n, string_agg(f.company_id::text, ',') as company, string_agg(f.project_id, ',') as project,
      string_agg(f.department_id::text, ',') as department, string_agg(coalesce(f.fiscal_year, 0)::text, ',') as year,
      string_agg(coalesce(f.project_province, 0)::text, ',') as province, string_agg(f.method::text, ',') as method,
      string_agg(f.method_type::text, ',') as type, string_agg(${FLAGS}::text, ',') as flags,
      string_agg(coalesce(f.value_satang::text, 'x'), ',') as value, string_agg(coalesce(f.discount_base_satang::text, 'x'), ',') as base,
      string_agg(coalesce((f.decided_on - date '2000-01-01')::text, ${String(NO_DAY)}::text), ',') as decided,
      string_agg(coalesce((coalesce(f.decided_on, f.happened_on) - date '2000-01-01')::text, ${String(NO_DAY)}::text), ',') as day,
      string_agg(f.criteria::text, ',') as criteria, string_agg(coalesce(f.bid_satang::text, 'x'), ',') as bid,
      string_agg(coalesce(f.reference_satang::text, 'x'), ',') as reference, string_agg(array_to_string(f.contract_amounts, '+'), ',') as amounts,
      string_agg(array_to_string(array(select case when isfinite(u) then u - date '2000-01-01' else ${FOR_EVER}::int end from unnest(f.open_until) u where u is not null), '+'), ',') as untils
    from (${facts}) f`)
  return slice!
}

const numbers = (text: string): Float64Array => Float64Array.from(text.split(','), Number)
const NONE = new Float64Array()
const lists = (text: string): Float64Array[] =>
  text.split(',').map((list) => (list === '' ? NONE : Float64Array.from(list.split('+'), Number)))

/**
 * Reads all facts in slices. Returns undefined when a project id is not numeric or the total exceeds `mostBytes`.
 * `signal` aborts between two slices.
 */
export async function readFacts(
  db: Db,
  { mostBytes, signal }: { readonly mostBytes: number; readonly signal: AbortSignal },
): Promise<FactColumns | undefined> {
  const projects = new RowByKey()
  const keys: number[] = []
  const slices: Parsed[] = []
  let size = 0
  let after = { company: 0, project: '' }
  for (;;) {
    signal.throwIfAborted()
    const slice = await readSlice(
      db,
      sql`select f.* from company_projects f where (f.company_id, f.project_id) > (${after.company}::int, ${after.project}::text)
        order by f.company_id, f.project_id limit ${FACTS_A_STATEMENT}::int`,
    )
    if (slice.n === 0) break
    const ids = slice.project.split(',')
    const project = new Int32Array(slice.n)
    for (const [place, id] of ids.entries()) {
      const key = projectKey(id)
      if (key === undefined) return undefined
      let number = projects.get(key)
      if (number === undefined) {
        number = keys.length
        keys.push(key)
        projects.set(key, number)
      }
      project[place] = number
    }
    slices.push({ ...parseSlice(slice), project })
    size += slice.n
    if (size * BYTES_A_FACT + projects.heldBytes > mostBytes) return undefined
    if (slice.n < FACTS_A_STATEMENT) break
    after = { company: slices.at(-1)!.company.at(-1)!, project: ids.at(-1)! }
    await yieldToEventLoop()
  }
  return { ...columnsOf(slices, size), projects, projectKeys: Float64Array.from(keys), projectCount: keys.length }
}

function parseSlice({ n: _, project: __, amounts, untils, ...texts }: Slice): Omit<Parsed, 'project'> {
  const parsed = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, numbers(text)]))
  return { ...(parsed as Record<NumberColumn, Float64Array>), amounts: lists(amounts), untils: lists(untils) }
}

/** Reads the facts (alias `f`) that meet a condition, with their project ids; `project` numbers them in id order. */
export async function readFactsWhere(
  db: Db,
  where: Sql,
): Promise<{ readonly columns: CompanyColumns; readonly projectIds: readonly string[] }> {
  const slice = await readSlice(
    db,
    sql`select f.* from company_projects f where ${where} order by f.company_id, f.project_id`,
  )
  if (slice.n === 0) return { columns: columnsOf([], 0), projectIds: [] }
  const ids = slice.project.split(',')
  const projectIds = [...new Set(ids)].sort()
  const places = new Map(projectIds.map((id, place) => [id, place]))
  const project = Int32Array.from(ids, (id) => places.get(id)!)
  return { columns: columnsOf([{ ...parseSlice(slice), project }], slice.n), projectIds }
}

function columnsOf(slices: readonly Parsed[], size: number): CompanyColumns {
  function whole<A extends Int32Array | Int16Array | Uint8Array | Float64Array>(
    column: A,
    name: NumberColumn | 'project',
  ): A {
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
  const amounts = joined(slices, size, 'amounts')
  const untils = joined(slices, size, 'untils')
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
    decidedOn: whole(new Int32Array(size), 'decided'),
    day: whole(new Int32Array(size), 'day'),
    criteria: whole(new Int16Array(size), 'criteria'),
    bid: whole(new Float64Array(size), 'bid'),
    reference: whole(new Float64Array(size), 'reference'),
    amounts: amounts.values,
    amountStarts: amounts.starts,
    untils: Int32Array.from(untils.values),
    untilStarts: untils.starts,
  }
}

function joined(slices: readonly Parsed[], size: number, name: 'amounts' | 'untils') {
  const starts = new Int32Array(size + 1)
  let fact = 0
  for (const slice of slices) {
    for (const list of slice[name]) {
      starts[fact + 1] = starts[fact]! + list.length
      fact += 1
    }
  }
  const values = new Float64Array(starts[size]!)
  fact = 0
  for (const slice of slices) {
    for (const list of slice[name]) {
      values.set(list, starts[fact])
      fact += 1
    }
  }
  return { values, starts }
}
