import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import sql, { raw } from 'sql-template-tag'
import { keywordKey } from '#contract/matching/keyword.ts'
import { PROVINCES } from '#contract/thai/province.ts'
import { normaliseThai, searchForm } from '#contract/thai/thai-text.ts'
import { expandKeyword } from '#server/matching/meaning/expand-keyword.ts'
import { termModel } from '#server/matching/meaning/term-model.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { slicesOf } from '#server/platform/engine/in-batches.ts'

/** Changing the data means changing this, so that a kept database is built again. */
const VERSION = 'preview bench 1'
export const PREVIEW_TODAY = '2026-11-21'
/** What e-GP announces in 30 days, of 1.39 million a year. */
const RECENT = 115_000
const NO_LIMIT = { timeoutMs: 0 }

const file = path.join(import.meta.dirname, '../../../shared/data/egp-2568-competitive-53736.csv.gz')

/** Units of the learned vocabulary that stand in `from` to `to` of its million titles, evenly picked. */
export function wordsByFrequency(from: number, to: number, count: number): string[] {
  const { words, counts } = termModel()
  const fitting = words.filter(
    (word, id) => counts[id]! >= from && counts[id]! < to && /^[\u0e01-\u0e4e]{2,}$/.test(word),
  )
  return Array.from({ length: count }, (_, at) => fitting[Math.floor((at * fitting.length) / count)]!)
}

/** The lists of a large customer. */
const LISTS: readonly (readonly [list: string, words: () => readonly string[]])[] = [
  ['include', () => wordsByFrequency(300, 5_000, 200)],
  ['exclude', () => wordsByFrequency(1_000, 20_000, 100)],
  ['ai_include', () => ['เครื่องปรับอากาศ', 'ปรับปรุงถนน', 'ระบบโซลาร์เซลล์', 'กล้องวงจรปิด', 'ครุภัณฑ์คอมพิวเตอร์']],
  ['deptsub_include', () => Array.from({ length: 20 }, (_, at) => `สำนักงาน ที่ ${at * 7 + 1}`)],
]

/**
 * Fills a migrated database with `projects` projects under real titles, 115,000 of them of the last 30 days, and one organisation with 325
 * words, unless it holds them already. Answers the organisation.
 */
export async function ensurePreviewData(db: Db, projects: number, say: (text: string) => void): Promise<number> {
  const origin = `${VERSION}, ${projects} projects`
  const [built] = await db.query(sql`select 1 from loads where origin = ${origin}`)
  if (!built) {
    await addTitles(db)
    say('titles are in')
    await addProjects(db, projects)
    say('projects are in')
    await addOrganisation(db)
    // One by one: PostgreSQL runs several statements as one transaction, in which it does not vacuum.
    for (const step of ['drop table bench_titles', 'vacuum analyze projects', 'vacuum analyze departments'])
      await db.execute(sql`${raw(step)}`, NO_LIMIT)
    await db.execute(sql`insert into loads (source, origin, state) values ('bench', ${origin}, 'failed')`)
  }
  const [organisation] = await db.query<{ id: number }>(sql`select id from organisations where code = 'bench-preview'`)
  return organisation!.id
}

async function addTitles(db: Db): Promise<void> {
  if (!existsSync(file)) throw new Error(`the bench needs the real titles of ${file}`)
  const rows = parse(gunzipSync(readFileSync(file)), { columns: true, bom: true }) as { project_name: string }[]
  await db.script('create table bench_titles (id int primary key, name text, compact text, spaced text)')
  for (const slice of slicesOf([...rows.entries()], 5_000)) {
    const titles = slice.map(([id, { project_name: name }]) => ({
      id,
      name,
      compact: searchForm(name),
      spaced: normaliseThai(name),
    }))
    await db.execute(sql`
      insert into bench_titles select * from jsonb_to_recordset(${JSON.stringify(titles)}::jsonb) as x (id int, name text, compact text, spaced text)`)
  }
}

async function addProjects(db: Db, projects: number): Promise<void> {
  await db.script(`
    insert into loads (id, source, origin, state, published_at) overriding system value values (1, 'bench', 'first', 'published', now());
    select setval(pg_get_serial_sequence('loads', 'id'), 10);
    insert into departments (name, sub_name, province) select 'กรมตัวอย่าง ' || g / 10, 'สำนักงาน ที่ ' || g, (array[${PROVINCES.map(({ code }) => code).join(',')}])[1 + g % 77] from generate_series(1, 3000) g`)
  // In another order than that of the days, as projects lie in a database that has grown.
  await db.execute(
    sql`
      insert into projects (project_id, name, name_search, name_spaced, department_id, status, movement, movement_on, method, method_type,
        budget_satang, source, first_load, changed_load, written_load)
      select (67000000000 + g)::text, t.name, t.compact, t.spaced, 1 + g % 3000, 'in_progress', 'invited',
        ${PREVIEW_TODAY}::date - case when n < ${RECENT} then n % 30 else 30 + n % 1000 end::int, 'e_bidding', 'buy',
        (g % 5000 + 1) * 10000000::bigint, 'bench', 1, 1, 1
      from generate_series(0, ${projects - 1}::int) g
      cross join lateral (select (g::bigint * 7919 % ${projects})::int as n) moved
      join bench_titles t on t.id = n % (select count(*) from bench_titles)`,
    NO_LIMIT,
  )
}

async function addOrganisation(db: Db): Promise<void> {
  const config = {
    min_project_budget: '0',
    max_project_budget: '0',
    search_by_name: true,
    search_by_ai: true,
    search_by_deptsub: true,
  }
  const areas = { all: PROVINCES.map(({ th }) => th) }
  const [organisation] = await db.query<{ id: number }>(sql`
    insert into organisations (code, name, package, customer_config, areas_with_provinces)
    values ('bench-preview', 'bench', 'bench', ${JSON.stringify(config)}::jsonb, ${JSON.stringify(areas)}::jsonb) returning id`)
  await db.execute(sql`
    insert into users (organisation_id, email, email_key, password_hash) values (${organisation!.id}, 'bench', 'bench', '-')`)
  for (const [list, words] of LISTS) {
    for (const word of words()) {
      const [keyword] = await db.query<{ id: number }>(sql`
        insert into keywords (organisation_id, list, word, word_key) values (${organisation!.id}, ${list}, ${word}, ${keywordKey(word)})
        on conflict do nothing returning id`)
      if (list !== 'ai_include' || !keyword) continue
      for (const [position, term] of expandKeyword(word).terms.entries()) {
        await db.execute(sql`
          insert into keyword_terms (keyword_id, term_key, term, source, state, similarity, facet, position)
          values (${keyword.id}, ${searchForm(term.term)}, ${term.term}, ${term.source}, ${term.state}, ${term.similarity}::real, ${term.facet}::smallint, ${position}::smallint)
          on conflict do nothing`)
      }
    }
  }
}
