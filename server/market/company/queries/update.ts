import sql from 'sql-template-tag'
import { toCompanyNameKey } from '#contract/catalogue/company-name.ts'
import type { CompanyFact, DerivedSpending } from '#server/market/company/project-facts.ts'
import { preferIndexScans, skipForeignKeyChecks } from '#server/platform/engine/bulk-write.ts'
import type { Db } from '#server/platform/engine/db.ts'

const NO_TIMEOUT = { timeoutMs: 0 }

export async function findLoadsWithoutCompanyFacts(db: Db, version: number): Promise<number[]> {
  const loads = await db.query<{ id: number }>(sql`
    select l.id from loads l where l.state = 'published' and l.companies_version <> ${version}::smallint order by l.id`)
  return loads.map(({ id }) => id)
}

export async function markCompanyFactsWritten(db: Db, loadIds: readonly number[], version: number): Promise<void> {
  await db.execute(
    sql`update loads set companies_version = ${version}::smallint where id = any (${[...loadIds]}::bigint[])`,
  )
}

const FACT_TYPES = {
  department_id: 'int',
  fiscal_year: 'smallint',
  project_province: 'smallint',
  coverage: 'smallint',
  is_winner: 'boolean',
  is_decided: 'boolean',
  contracts: 'smallint',
  value_satang: 'bigint',
  bid_satang: 'bigint',
  reference_satang: 'bigint',
  discount_base_satang: 'bigint',
  is_against_budget: 'boolean',
  decided_on: 'date',
  happened_on: 'date',
  is_sme: 'boolean',
  contract_amounts: 'bigint[]',
  open_until: 'date[]',
} satisfies Partial<Record<keyof CompanyFact, string>>
const SPENDING_TYPES = {
  department_id: 'int',
  fiscal_year: 'smallint',
  project_province: 'smallint',
  spent_satang: 'bigint',
} satisfies Partial<Record<keyof DerivedSpending, string>>
const FACT_COLUMNS = ['name_id', 'method', 'method_type', 'criteria', ...Object.keys(FACT_TYPES)]
const SPENDING_COLUMNS = ['method', 'method_type', ...Object.keys(SPENDING_TYPES)]

/** Formats `alias.a, alias.b` as raw SQL, so pass only constant column names of this file. */
const columnList = (columns: readonly string[], alias?: string) =>
  sql([columns.map((column) => (alias === undefined ? column : `${alias}.${column}`)).join(', ')])
const typed = (columns: Readonly<Record<string, string>>) =>
  sql([
    Object.entries(columns)
      .map(([column, type]) => `${column} ${type}`)
      .join(', '),
  ])

export type DerivedCompanyFacts = {
  readonly projectIds: readonly string[]
  readonly facts: readonly CompanyFact[]
  readonly spending: readonly DerivedSpending[]
}

export type MissingCompanyRows = {
  readonly spellings: readonly CompanyFact[]
  readonly values: readonly KindValue[]
  readonly keys: readonly string[]
}

export function findMissingCompanyRows(
  { facts, spending }: DerivedCompanyFacts,
  stored: ReadonlySet<string>,
): MissingCompanyRows | undefined {
  const spellings = new Map<string, CompanyFact>()
  for (const fact of facts) if (!stored.has(spellingOf(fact))) spellings.set(spellingOf(fact), fact)
  const values = distinctValues([...facts, ...spending]).filter((value) => !stored.has(valueKey(value)))
  const keys = [...spellings.keys(), ...values.map(valueKey)]
  return keys.length === 0 ? undefined : { spellings: [...spellings.values()], values, keys }
}

/**
 * Inserts missing values, companies and names. Runs in its own short transaction before the facts, because concurrent
 * runs wait for each other's new companies. All writers use the same order (values, companies by key, names), so they
 * cannot deadlock. A company without facts counts as stale and is deleted with the stale ones.
 */
export async function insertMissingCompanyRows(tx: Db, { spellings, values }: MissingCompanyRows): Promise<void> {
  if (values.length > 0) await insertValues(tx, values)
  if (spellings.length === 0) return
  await preferIndexScans(tx)
  await addCompanies(tx, spellings)
}

/**
 * Replaces the facts of these projects; their companies and values must already be stored. Marks companies and
 * departments with differences as stale; equal rows are not written. Two transactions may run in parallel for different
 * projects: shared rows (stale companies, then departments) are written in id order to avoid deadlocks.
 */
export async function saveCompanyFacts(tx: Db, { projectIds, facts, spending }: DerivedCompanyFacts): Promise<void> {
  await preferIndexScans(tx)
  await skipForeignKeyChecks(tx)
  const incoming = sql`json_to_recordset(${JSON.stringify(facts)}::text::json)`
  const ids = sql`${[...projectIds]}::text[]`
  await tx.execute(
    sql`
      with t as materialized (
        select c.id as company_id, r.project_id, n.id as name_id, v1.id as method, v2.id as method_type, v3.id as criteria, ${columnList(Object.keys(FACT_TYPES), 'r')}
        from ${incoming} as r (key text, name text, project_id text, method text, method_type text, criteria text, ${typed(FACT_TYPES)})
        join companies c on c.key = r.key
        left join company_names n on n.company_id = c.id and n.name = r.name
        join match_values v1 on v1.kind = 'method' and v1.value = r.method
        join match_values v2 on v2.kind = 'method_type' and v2.value = r.method_type
        join match_values v3 on v3.kind = 'criteria' and v3.value = r.criteria
      ),
      gone as (
        delete from company_projects f where f.project_id = any (${ids})
          and (f.company_id, f.project_id) not in (select t.company_id, t.project_id from t)
        returning f.company_id
      ),
      written as (
        insert into company_projects as f (company_id, project_id, ${columnList(FACT_COLUMNS)})
        select t.company_id, t.project_id, ${columnList(FACT_COLUMNS, 't')}
        from t left join company_projects o on o.company_id = t.company_id and o.project_id = t.project_id
        where o.project_id is null or (${columnList(FACT_COLUMNS, 'o')}) is distinct from (${columnList(FACT_COLUMNS, 't')})
        on conflict (company_id, project_id) do update set (${columnList(FACT_COLUMNS)}) = row(${columnList(FACT_COLUMNS, 'excluded')})
        returning f.company_id
      )
      update companies c set is_stale = true
      from (
        select o.id from companies o
        where o.id in (select g.company_id from gone g union select w.company_id from written w) and not o.is_stale
        order by o.id for no key update
      ) as touched
      where c.id = touched.id`,
    NO_TIMEOUT,
  )
  await tx.execute(
    sql`
      with t as materialized (
        select r.project_id, v1.id as method, v2.id as method_type, ${columnList(Object.keys(SPENDING_TYPES), 'r')}
        from json_to_recordset(${JSON.stringify(spending)}::text::json)
          as r (project_id text, method text, method_type text, ${typed(SPENDING_TYPES)})
        join match_values v1 on v1.kind = 'method' and v1.value = r.method
        join match_values v2 on v2.kind = 'method_type' and v2.value = r.method_type
      ),
      differing as materialized (
        select project_id, o.department_id as department_before, t.department_id as department_now
        from (select s.* from project_spending s where s.project_id = any (${ids})) o full join t using (project_id)
        where (${columnList(SPENDING_COLUMNS, 'o')}) is distinct from (${columnList(SPENDING_COLUMNS, 't')})
      ),
      gone as (
        delete from project_spending s using differing d where s.project_id = d.project_id and d.department_now is null
      ),
      written as (
        insert into project_spending (project_id, ${columnList(SPENDING_COLUMNS)})
        select t.project_id, ${columnList(SPENDING_COLUMNS, 't')} from t join differing d on d.project_id = t.project_id
        on conflict (project_id) do update set (${columnList(SPENDING_COLUMNS)}) = row(${columnList(SPENDING_COLUMNS, 'excluded')})
      )
      insert into stale_departments (department_id)
      select distinct x.id from differing d cross join lateral (values (d.department_before), (d.department_now)) as x (id) where x.id is not null order by x.id
      on conflict do nothing`,
    NO_TIMEOUT,
  )
}

const spellingOf = ({ key, name }: CompanyFact) => `${key}\n${name ?? ''}`

type KindValue = { readonly kind: 'method' | 'method_type' | 'criteria'; readonly value: string }
const valueKey = ({ kind, value }: KindValue) => `${kind}\n${value}`

function distinctValues(rows: readonly (CompanyFact | DerivedSpending)[]): readonly KindValue[] {
  const values = { method: new Set<string>(), method_type: new Set<string>(), criteria: new Set<string>() }
  for (const row of rows) {
    values.method.add(row.method)
    values.method_type.add(row.method_type)
    if ('criteria' in row) values.criteria.add(row.criteria)
  }
  return (['criteria', 'method', 'method_type'] as const).flatMap((kind) =>
    [...values[kind]].map((value) => ({ kind, value })),
  )
}

/**
 * Assigns ids to values that matching has not stored yet. Selects before inserting, because every conflict consumes one
 * of 32,767 ids; with the select, only two concurrent writers can waste one.
 */
async function insertValues(tx: Db, values: readonly KindValue[]): Promise<void> {
  await tx.execute(sql`
    insert into match_values (kind, value)
    select v.kind, v.value from unnest(${values.map(({ kind }) => kind)}::text[], ${values.map(({ value }) => value)}::text[]) as v (kind, value)
    where not exists (select from match_values m where m.kind = v.kind and m.value = v.value)
    order by v.kind, v.value
    on conflict do nothing`)
}

async function addCompanies(tx: Db, facts: readonly CompanyFact[]): Promise<void> {
  const companies = new Map<string, object>()
  const names = new Map<string, object>()
  for (const { key, tax_id, name } of facts) {
    const displayName = name ?? tax_id
    if (!companies.has(key))
      companies.set(key, { key, tax_id, name: displayName, name_key: toCompanyNameKey(displayName ?? '') })
    if (name !== null) names.set(`${key}\n${name}`, { key, name, name_key: toCompanyNameKey(name) })
  }
  await tx.execute(
    sql`
      insert into companies (key, tax_id, name, name_key)
      select r.key, r.tax_id, r.name, r.name_key
      from json_to_recordset(${JSON.stringify([...companies.values()])}::text::json) as r (key text, tax_id text, name text, name_key text)
      where not exists (select from companies c where c.key = r.key)
      order by r.key
      on conflict do nothing`,
    NO_TIMEOUT,
  )
  await tx.execute(
    sql`
      insert into company_names (company_id, name, name_key, uses)
      select c.id, r.name, r.name_key, 0
      from json_to_recordset(${JSON.stringify([...names.values()])}::text::json) as r (key text, name text, name_key text)
      join companies c on c.key = r.key
      where not exists (select from company_names n where n.company_id = c.id and n.name = r.name)
      order by c.id, r.name
      on conflict do nothing`,
    NO_TIMEOUT,
  )
}
