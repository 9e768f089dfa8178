import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { createSampleSource } from '#sample/sample-source.ts'
import { buildDemoFingerprint } from '#server/catalogue/feed/demo-source.ts'
import { runNightlyLoadStep } from '#server/jobs/load/nightly-load.ts'
import { withDataLoadLease } from '#server/jobs/load/run-load.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../test/server/databases.ts'
import { createDemoDateRangeLoadStep, DEMO_DATA_RANDOM_SEED } from './sample-days.ts'
import { seedDemoHistory, seedRecentDemoData } from './seed-projects.ts'

// This day is a Sunday, so the newest projects are from Friday the 20th.
const TODAY = '2026-11-22'
const BEFORE = '2026-11-19'
const options = { now: () => new Date(`${TODAY}T02:00:00+07:00`), days: 60 }

async function contentOf(db: Db) {
  const texts = async (table: string, columns: string) =>
    (
      await db.query<{ text: string }>(
        sql`select concat_ws('|', ${raw(columns)}) as text from ${raw(table)} order by 1`,
      )
    ).map(({ text }) => text)
  return {
    loads: await texts('loads', 'id, source, fingerprint, state, new_projects, updated_projects'),
    projects: await texts(
      'projects',
      'project_id, name, status, movement, movement_on, is_archived, winner_name, first_load, changed_load, written_load',
    ),
    changes: await texts('project_changes', 'project_id, load_id, field, old_value, new_value'),
    matches: await texts(
      'report_matches r join worded_matches w using (organisation_id, project_id)',
      'organisation_id, project_id, r.first_load, r.changed_load, is_archived, matched_words',
    ),
    exclusions: await texts('match_exclusions', 'organisation_id, project_id, word'),
    attachments: await texts('attachments', 'project_id, url, first_load'),
    announcements: await texts('announcements', 'project_id, movement, announced_on, load_id'),
    bidders: await texts('bidders', 'project_id, position, name, price_satang'),
    contracts: await texts('contracts', 'project_id, contract_no, amount_satang'),
    mails: await texts('report_mails m join users u on u.id = m.user_id', 'u.email, m.load_id'),
    comparable: await texts('project_traits', 'project_id, size_satang, winner_satang'),
    companies: await texts(
      'company_figures f join companies c on c.id = f.company_id',
      'c.key, f.wins, f.value_satang',
    ),
  }
}

onEachEngine('the demo data of a first start', (makeDb) => {
  test('loaded in parts with interruptions equals two loads imported whole', async () => {
    const expectedDb = await makeDb()
    await seedSampleOrganisations(expectedDb, TODAY)
    await withDataLoadLease(expectedDb, async (lease) => {
      const source = createSampleSource({ seed: DEMO_DATA_RANDOM_SEED, today: BEFORE, days: options.days })
      const history = { source, fingerprint: buildDemoFingerprint(DEMO_DATA_RANDOM_SEED, BEFORE), today: BEFORE }
      await runNightlyLoadStep(expectedDb, lease, history, options)
      await runNightlyLoadStep(
        expectedDb,
        lease,
        createDemoDateRangeLoadStep(BEFORE, TODAY, TODAY, options.days),
        options,
      )
    })

    const db = await makeDb()
    await seedSampleOrganisations(db, TODAY)
    await seedRecentDemoData(db, options)
    const [head] = await db.query<{ projects: number; matches: number; new: number }>(sql`
      select (select count(*) from projects) as projects, (select count(*) from project_matches) as matches,
        (select count(*) from projects where first_load = (select max(id) from loads where state = 'published')) as new`)
    const stop = new AbortController()
    const stopAfterParts = { ...options, signal: stop.signal, onProgress: () => stop.abort(new Error('killed')) }
    await expect(seedDemoHistory(db, stopAfterParts)).rejects.toThrow('killed')
    const [between] = await db.query<{ projects: number }>(sql`select count(*) as projects from projects`)
    expect(between!.projects).toBeGreaterThan(head!.projects)
    expect(await seedRecentDemoData(db, options)).toBeUndefined()
    await seedDemoHistory(db, options)

    const [expected, actual] = [await contentOf(expectedDb), await contentOf(db)]
    for (const [table, rows] of Object.entries(expected)) {
      const actualRows = new Set(actual[table as keyof typeof actual])
      expect(rows.length, table).toBeGreaterThan(0)
      expect(rows.filter((row) => !actualRows.has(row)).slice(0, 3), table).toEqual([])
      expect(actualRows.size, table).toBe(new Set(rows).size)
    }
    expect(head!.projects).toBeLessThan(expected.projects.length)
    expect(head!.matches).toBeGreaterThan(100)
    expect(head!.new).toBeLessThan(head!.projects / 2)
  }, 300_000)
})
