import sql from 'sql-template-tag'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import { PROVINCES } from '#contract/thai/province.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { splitIntoSlices } from '#server/platform/engine/process-in-batches.ts'
import { vacuumAfterDataLoad } from '#server/platform/engine/vacuum-after-data-load.ts'
import type { TitleForms } from './real-titles.ts'

const NO_LIMIT = { timeoutMs: 0 }
const STEP = 50_000

/** SQL for a deterministic number in [0, 1) for row `g` and salt `n`. */
const chance = (n: number) => `((hashint8(g * 31 + ${n})::bigint + 2147483648) / 4294967296.0)`

/**
 * Fills a migrated, empty database with projects that cycle through real titles, dated over three years. Title `i`
 * repeats every `titles.length` projects, which preserves real word frequencies.
 */
export async function addRealProjects(
  db: Db,
  titles: readonly TitleForms[],
  projects: number,
  say: (text: string) => void,
): Promise<void> {
  const started = performance.now()
  await db.script(`
    insert into loads (id, source, origin, state, published_at) overriding system value values (1, 'bench', 'bench', 'published', now());
    select setval(pg_get_serial_sequence('loads', 'id'), 10);
    insert into departments (name, sub_name, province) select 'กรมตัวอย่าง ' || g / 10, 'สำนักงาน ที่ ' || g, (array[${PROVINCES.map((province) => province.code).join(',')}])[1 + g % 77] from generate_series(1, 3000) g;
    create table bench_titles (n int primary key, name text, name_search text, name_spaced text)`)
  for (const slice of splitIntoSlices([...titles.entries()], 5_000)) {
    const rows = slice.map(([n, { title, compact, spaced }]) => ({
      n,
      name: title,
      name_search: compact,
      name_spaced: spaced,
    }))
    await db.execute(
      sql`insert into bench_titles select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (n int, name text, name_search text, name_spaced text)`,
      NO_LIMIT,
    )
  }
  for (let from = 0; from < projects; from += STEP) {
    await db.script(`
      insert into projects (project_id, name, name_search, name_spaced, department_id, project_province, status, movement, movement_on, criteria, method, method_type,
        budget_satang, estimate_satang, winner_satang, winner_name, winner_count, draft_published_on, draft_discussion_ends_on, bidding_invited_on,
        submission_ends_on, winner_announced_on, is_sme, is_archived, source, first_load, changed_load, written_load)
      select (67000000000 + g)::text, t.name, t.name_search, t.name_spaced, 1 + floor(${chance(1)} * 3000)::int,
        (array[${PROVINCES.map((province) => province.code).join(',')}])[1 + floor(${chance(2)} * 77)::int],
        'in_progress', 'invited', d.day, 'price', 'e_bidding', 'buy', (10 ^ (6.5 + 4 * ${chance(4)}))::bigint, (10 ^ (6.5 + 4 * ${chance(5)}))::bigint,
        null, case when ${chance(6)} < 0.5 then 'บริษัท ผู้รับจ้างรายที่ ' || floor(${chance(7)} * 2000)::int || ' จำกัด' end, 1,
        d.day - 30, d.day - 20, d.day, d.day + 20, null, false, ${chance(8)} < 0.4, 'bench', 1, 1, 1
      from generate_series(${from}, ${Math.min(from + STEP, projects) - 1}) g
      join bench_titles t on t.n = g % ${titles.length}
      cross join lateral (select date '2026-11-21' - floor(${chance(3)} * 1100)::int as day) d`)
    say(`${db.engine}: ${from + STEP} projects after ${((performance.now() - started) / 1000).toFixed(0)} s`)
  }
  await db.script('drop table bench_titles')
  await vacuumAfterDataLoad(db)
}

export async function addWatchingOrganisation(db: Db, words: readonly string[], code = 'bench'): Promise<number> {
  const config = { max_project_budget: '0', min_project_budget: '0', search_by_name: true, search_by_ai: true }
  const areas = { all: PROVINCES.map((province) => province.th) }
  const [organisation] = await db.query<{ id: number }>(sql`
    insert into organisations (code, name, package, customer_config, areas_with_provinces)
    values (${code}, 'bench', 'bench', ${JSON.stringify(config)}::jsonb, ${JSON.stringify(areas)}::jsonb) returning id`)
  await addWords(db, organisation!.id, words)
  return organisation!.id
}

export const addWord = (db: Db, organisationId: number, word: string) => addWords(db, organisationId, [word])

/** Adds only the first of several words with the same search form. */
async function addWords(db: Db, organisationId: number, words: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into keywords (organisation_id, list, word, word_key)
    select ${organisationId}::int, 'include', w.word, w.key from unnest(${[...words]}::text[], ${words.map(toKeywordKey)}::text[]) w (word, key)
    on conflict do nothing`)
}

export async function addTerms(db: Db, organisationId: number, word: string, terms: readonly string[]): Promise<void> {
  await db.execute(sql`
    insert into keywords (organisation_id, list, word, word_key) values (${organisationId}::int, 'ai_include', ${word}, ${toKeywordKey(word)})`)
  const rows = terms.map((term, position) => ({ term, term_key: toNormalisedSearchText(term), position }))
  await db.execute(sql`
    insert into keyword_terms (keyword_id, term_key, term, source, state, similarity, facet, position)
    select k.id, t.term_key, t.term, 'learned', 'auto', 0.9, 0, t.position
    from keywords k cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (term text, term_key text, position smallint)
    where k.organisation_id = ${organisationId}::int and k.word = ${word}`)
}

export async function removeWord(db: Db, organisationId: number, word: string): Promise<void> {
  await db.execute(sql`delete from keywords where organisation_id = ${organisationId}::int and word = ${word}`)
}

export function pickRareWords(
  words: readonly string[],
  titles: readonly TitleForms[],
  { maxHits, count }: { maxHits: number; count: number },
): string[] {
  const rare: string[] = []
  for (const word of words) {
    const form = toNormalisedSearchText(word)
    let hits = 0
    for (const { compact } of titles) if (compact.includes(form) && ++hits > maxHits) break
    if (hits <= maxHits) rare.push(word)
    if (rare.length === count) break
  }
  return rare
}
