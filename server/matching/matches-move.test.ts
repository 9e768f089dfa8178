import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Db } from '#server/platform/engine/db.ts'
import { migrateDatabase } from '#server/platform/engine/migrate-database.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'

/**
 * Database content before migration 0057: matches of three organisations, of which the third is deleted, and one
 * project that is matched twice.
 */
const WIDE = `
  insert into organisations (code, name, package, customer_config, areas_with_provinces) select 'o' || n, 'o', 'x', '{}', '{}' from generate_series(1, 2) n;
  insert into loads (source, origin, state, published_at) select 'test', 'test', 'published', now() from generate_series(1, 2);
  insert into departments (name, sub_name, province) values ('กรม ก', 'กอง ข', 10), ('กรม ค', '', 50);
  insert into projects (project_id, name, name_search, name_spaced, department_id, status, movement, method, method_type, source, first_load, changed_load, written_load)
    select (67000000000 + n)::text, 'โครงการ ' || n, 'โครงการ' || n, 'โครงการ ' || n, 1 + n % 2, 'in_progress', 'invited', 'e_bidding', 'buy', 'test', 1, 2, 2
    from generate_series(1, 300) n;
  insert into project_matches (organisation_id, is_archived, name_search, dept_search, winner_search, project_id, is_sme, project_province, dept_province, status, movement,
      criteria, method, method_type, first_load, changed_load, budget_satang, estimate_satang, winner_satang, movement_on, draft_published_on, draft_discussion_ends_on,
      bidding_invited_on, submission_ends_on, winner_announced_on, matched_by, matched_words, dept_spaced, winner_spaced, reasons)
    select o, n % 3 = 0, 'โครงการ' || n, case n % 2 when 0 then 'กรมกกองข' else 'กรมค' end, case when n % 4 = 0 then 'บริษัท' || n end, (67000000000 + n)::text, n % 5 = 0,
      n % 77, case n % 2 when 0 then 10 else 50 end, n % 3, 2, 3, 4, 5, 1, case when n % 7 = 0 then 2 end, n * 100000, null, n * 50000, date '2026-01-01' + n,
      date '2026-02-01' + n, null, date '2026-03-01' - n, case when n % 2 = 0 then date '2026-04-01' end, null, case when n % 2 = 0 then '{name}' else '{name,ai}' end::text[],
      array['คำ ' || o, 'คำ, ' || n % 10], case n % 2 when 0 then 'กรม ก กอง ข' else 'กรม ค' end, case when n % 4 = 0 then 'บริษัท ' || n end,
      jsonb_build_array(jsonb_build_object('keyword', n % 10, 'terms', jsonb_build_array('คำ')))
    from generate_series(1, 300) n, generate_series(1, 3) o where (n + o) % 2 = 0 or n < 20`

const COLUMNS = sql`organisation_id, project_id, is_archived, name_search, dept_search, winner_search, is_sme, project_province, dept_province, status, movement, criteria,
  method, method_type, first_load, changed_load, budget_satang, estimate_satang, winner_satang, movement_on, draft_published_on, draft_discussion_ends_on,
  bidding_invited_on, submission_ends_on, winner_announced_on, matched_by, matched_words, dept_spaced, winner_spaced, reasons, encode(packed, 'hex') as packed`

async function makeOld(db: Db): Promise<void> {
  await db.script('drop schema public cascade; create schema public')
  await migrateDatabase(db, { upTo: 56 })
  await db.script(WIDE)
}

onEachEngineInTurn('migration of matches from the old tables', (makeDb) => {
  test('keeps every column, and each organisation sees only its own rows', async () => {
    const db = await makeDb()
    await makeOld(db)
    const before = await db.query(
      sql`select ${COLUMNS} from project_matches where organisation_id < 3 order by organisation_id, project_id`,
    )
    expect(before.length).toBeGreaterThan(300)
    await migrateDatabase(db)
    const after = await db.query(sql`
      select ${COLUMNS} from (
        select r.*, w.matched_by, w.matched_words, w.reasons, t.name_search, t.winner_search, t.winner_spaced, d.dept_search, d.dept_spaced
        from report_matches r join worded_matches w using (organisation_id, project_id)
        join project_texts t using (filters_id) join department_texts d using (department_id)
      ) m order by organisation_id, project_id`)
    expect(after).toEqual(before)
    expect(await db.query(sql`select count(*)::int as n from project_filters`)).toEqual([{ n: 300 }])
    const [words] = await db.query<{ n: number }>(sql`select count(*)::int as n from match_words`)
    expect(words!.n).toBeLessThan(45)
    const seen = await db.transaction(async (tx) => {
      await tx.script(`set local role tamngan_tenant; set local app.organisation = 1; set local app."user" = 1`)
      return await tx.query(sql`
        select (select count(*) from report_matches where organisation_id <> 1)::int as theirs, (select count(*) from worded_matches)::int as worded,
          (select count(*) from report_matches)::int as mine`)
    })
    const ownRows = before.filter((row) => (row as { organisation_id: number }).organisation_id === 1).length
    expect(seen).toEqual([{ theirs: 0, worded: ownRows, mine: ownRows }])
  })
})
