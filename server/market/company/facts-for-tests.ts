import sql from 'sql-template-tag'
import { toCompanyNameKey } from '#contract/catalogue/company-name.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { createSeededRandom } from '../../../test/world/seeded.ts'
import { recountCompanyFigures } from './queries/recount-figures.ts'

/** A row of `company_projects`; money in satang. */
export type CompanyFactFixture = {
  readonly company: number
  readonly project: string
  readonly department: string
  readonly unit: string
  readonly year: number | null
  readonly province: number | null
  readonly method: string
  readonly type: string
  readonly coverage: number
  readonly isWinner: boolean
  readonly isDecided: boolean
  readonly value: number | null
  readonly base: number | null
  readonly isAgainstBudget: boolean
  readonly decidedOn: string | null
  /** End dates of its contracts: null elements are closed, `infinity` has no known end. */
  readonly openUntil: readonly (string | null)[]
}

export type CompanyFactFixtures = {
  readonly facts: readonly CompanyFactFixture[]
  readonly names: ReadonlyMap<number, string>
  readonly smes: ReadonlySet<number>
  readonly watched: ReadonlySet<string>
  readonly starred: ReadonlySet<string>
  /**
   * Watched projects that a keyword of group 901 matches; a keyword of group 902 matches the other watched projects.
   * Group 903 is empty, and group 904 belongs to another organisation.
   */
  readonly grouped: ReadonlySet<string>
  /** Projects with a win of unknown value that an import left out as doubtful. */
  readonly inDoubt: ReadonlySet<string>
  /** Id of the company with the former spelling หจก. เดิมน้ำดี. */
  readonly aliased: number
}

const COMPANIES = 40
const PROJECTS = 300

export function generateCompanyFacts(seed: number): CompanyFactFixture[] {
  const next = createSeededRandom(seed)
  const below = (count: number) => Math.floor(next() * count)
  const oneOf = <T>(...values: readonly T[]): T => values[below(values.length)]!
  return Array.from({ length: PROJECTS }, (_, i) => {
    const coverage = below(3)
    const isDecided = next() < 0.8
    const winners = isDecided ? (next() < 0.1 ? 2 : 1) : 0
    const taking = [
      ...new Set(Array.from({ length: coverage === 0 ? winners : 2 + below(4) }, () => below(COMPANIES) + 1)),
    ]
    const department = below(3) + 1
    const project = {
      project: `6800000${String(i).padStart(4, '0')}`,
      department: `กรม ${department}`,
      unit: `กอง ${department === 3 ? below(3) + 1 : department}`,
      year: oneOf(2567, 2568, 2569, 2568, null),
      province: oneOf(10, 50, 83, null),
      method: oneOf('e_bidding', 'selective', 'specific'),
      type: oneOf('buy', 'service'),
      coverage,
      isDecided,
    }
    const reference = (100 + below(500)) * 100_000
    return taking.map((company, at): CompanyFactFixture => {
      const isWinner = at < winners
      const value = isWinner && next() < 0.9 ? Math.round(reference * (0.7 + next() * 0.4)) : null
      const isPriced = value !== null && winners === 1 && next() < 0.9
      return {
        ...project,
        company,
        isWinner,
        value,
        base: isPriced ? reference : null,
        isAgainstBudget: isPriced && next() < 0.3,
        decidedOn: isWinner ? `2026-0${1 + below(9)}-1${below(9)}` : null,
        openUntil: isWinner
          ? Array.from({ length: 1 + below(2) }, () =>
              oneOf(null, 'infinity', '2026-11-20', '2026-11-21', '2027-03-31'),
            )
          : [],
      }
    })
  }).flat()
}

const OLD_SPELLING = 'หจก. เดิมน้ำดี'
const ALIASED = 31
const isSme = (company: number) => (company % 3 === 2 ? null : company % 3 === 0)

/** Stores the facts and counts the derived figures; stars every 40th project and watches every third. */
export async function storeCompanyFactFixtures(
  db: Db,
  facts: readonly CompanyFactFixture[],
  email: string,
): Promise<CompanyFactFixtures> {
  const names = new Map<number, string>()
  for (let at = 1; at <= COMPANIES; at += 1) names.set(at, at === ALIASED ? 'บริษัท น้ำดี จำกัด' : `บริษัท ทด ${at} จำกัด`)
  const companies = [...names].map(([id, name]) => ({ id, name, tax_id: String(id).padStart(13, '0') }))
  const spellings = [...companies, { id: ALIASED, name: OLD_SPELLING }]
  const keyed = <T extends { name: string }>(rows: readonly T[]) =>
    JSON.stringify(rows.map((row) => ({ ...row, name_key: toCompanyNameKey(row.name) })))
  await db.execute(sql`
    insert into companies (id, key, tax_id, name, name_key) overriding system value
    select c.id, 't:' || c.tax_id, c.tax_id, c.name, c.name_key
    from json_to_recordset(${keyed(companies)}::text::json) c (id int, tax_id text, name text, name_key text)`)
  await db.execute(sql`
    insert into company_names (company_id, name, name_key, uses)
    select c.id, c.name, c.name_key, 0 from json_to_recordset(${keyed(spellings)}::text::json) c (id int, name text, name_key text)`)
  await db.execute(sql`
    insert into departments (name, sub_name, province)
    select distinct f.department, f.unit, null::smallint from json_to_recordset(${JSON.stringify(facts)}::text::json) f (department text, unit text)`)
  await db.execute(sql`
    insert into match_values (kind, value)
    select distinct 'method', f.method from json_to_recordset(${JSON.stringify(facts)}::text::json) f (method text)
    union select distinct 'method_type', f.type from json_to_recordset(${JSON.stringify(facts)}::text::json) f (type text)
    on conflict do nothing`)
  // Only the first project of the renamed company has the former spelling.
  const first = facts.find(({ company }) => company === ALIASED)
  const rows = facts.map((fact) => ({
    ...fact,
    spelling: fact === first ? OLD_SPELLING : names.get(fact.company),
    is_sme: isSme(fact.company),
  }))
  await db.execute(sql`
    insert into company_projects (company_id, project_id, name_id, department_id, fiscal_year, project_province, method, method_type, criteria, coverage,
      is_winner, is_decided, contracts, value_satang, discount_base_satang, is_against_budget, decided_on, is_sme, contract_amounts, open_until)
    select f.company, f.project, n.id, d.id, f.year, f.province, m.id, t.id, 0, f.coverage, f."isWinner", f."isDecided", cardinality(f."openUntil"), f.value, f.base,
      f."isAgainstBudget", f."decidedOn", f.is_sme, array_fill(f.value, array[cardinality(f."openUntil")]), f."openUntil"
    from json_to_recordset(${JSON.stringify(rows)}::text::json) f (company int, project text, spelling text, department text, unit text, year smallint,
      province smallint, method text, type text, coverage smallint, "isWinner" boolean, "isDecided" boolean, value bigint, base bigint,
      "isAgainstBudget" boolean, "decidedOn" date, "openUntil" date[], is_sme boolean)
    join company_names n on n.company_id = f.company and n.name = f.spelling
    join departments d on d.name = f.department and d.sub_name = f.unit
    join match_values m on m.kind = 'method' and m.value = f.method
    join match_values t on t.kind = 'method_type' and t.value = f.type`)
  await recountCompanyFigures(db, [...names.keys()])
  const inDoubt = new Set(
    facts.filter(({ isWinner, value }) => isWinner && value === null).map(({ project }) => project),
  )
  // The facts refer to projects that do not exist, so drop the foreign key. Every other project is marked as doubtful,
  // although its prices are known.
  await db.execute(sql`alter table project_doubts drop constraint project_doubts_project_id_fkey`)
  await db.execute(sql`
    insert into project_doubts (project_id, doubts)
    select distinct f.project, '[{"kind": "amount_too_high", "field": "งบสัญญา", "value": "1"}]'::jsonb
    from unnest(${[...inDoubt, ...facts.filter(({ value }, at) => value !== null && at % 2 === 0).map(({ project }) => project)]}::text[]) f (project)`)

  const projects = [...new Set(facts.map(({ project }) => project))]
  const watched = new Set(projects.filter((_, i) => i % 3 === 0))
  const starred = new Set(projects.filter((_, i) => i % 40 === 0))
  const grouped = new Set([...watched].filter((_, i) => i % 4 !== 0))
  await db.execute(sql`
    insert into keyword_groups (id, organisation_id, name) overriding system value
    select g.id, u.organisation_id, 'กลุ่ม ' || g.id from users u, unnest(array[901, 902, 903]) g (id) where u.email_key = ${email}
    union all
    select 904, o.id, 'กลุ่ม 904' from organisations o
    where o.id = (select min(x.id) from organisations x where x.id <> (select u.organisation_id from users u where u.email_key = ${email}))`)
  await db.execute(sql`
    insert into keywords (id, organisation_id, list, word, word_key, group_id) overriding system value
    select k.id, g.organisation_id, 'include', 'คำของกลุ่ม ' || g.id, 'คำของกลุ่ม ' || g.id, g.id
    from keyword_groups g join (values (9011, 901), (9021, 902), (9041, 904)) k (id, group_id) on k.group_id = g.id`)
  const reasons = [...watched].map((id) => ({ id, reasons: [{ keyword: grouped.has(id) ? 9011 : 9021, terms: [] }] }))
  await db.execute(sql`
    with filters as (
      insert into project_filters (project_id, written_load, department_id, is_archived, is_sme, status, movement, criteria, method, method_type)
      select p.id, 1, 1, p.place % 2 = 0, false, 1, 1, 1, 1, 1 from unnest(${[...watched]}::text[]) with ordinality p (id, place)
      returning id, project_id
    ),
    words as (
      insert into match_words (organisation_id, matched_by, matched_words, reasons)
      select distinct u.organisation_id, '{}'::text[], '{}'::text[], r.reasons
      from users u, json_to_recordset(${JSON.stringify(reasons)}::text::json) r (id text, reasons jsonb) where u.email_key = ${email}
      returning organisation_id, id, reasons
    )
    insert into project_matches (organisation_id, filters_id, words_id, first_load, project_id)
    select w.organisation_id, f.id, w.id, 1, f.project_id
    from filters f join json_to_recordset(${JSON.stringify(reasons)}::text::json) r (id text, reasons jsonb) on r.id = f.project_id
    join words w on w.reasons = r.reasons`)
  await db.execute(sql`
    insert into bookmarks (user_id, project_id)
    select u.id, p.id from users u, unnest(${[...starred]}::text[]) p (id) where u.email_key = ${email}`)
  const smes = new Set([...names.keys()].filter(isSme))
  return { facts, names, smes, watched, starred, grouped, inDoubt, aliased: ALIASED }
}
