import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { sampleSource } from '#sample/sample-source.ts'
import { sampleFingerprint } from '#server/catalogue/feed/sample-day.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { daysUpTo, SAMPLE_SEED, takeIn } from './nightly-load.ts'
import { asOnlyLoader } from './run-load.ts'
import { beginSample, finishSample } from './seed-sample.ts'

// A Sunday: the newest projects are from Friday the 20th.
const TODAY = '2026-11-22'
const BEFORE = '2026-11-19'
const options = { now: () => new Date(`${TODAY}T02:00:00+07:00`), days: 60 }

/** Returns everything the loads wrote, in a form comparable across databases. */
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

onEachEngine('the sample of a first start', (makeDb) => {
  test('in parts, and interrupted in between, ends as two loads taken in whole', async () => {
    const whole = await makeDb()
    await seedSampleOrganisations(whole, TODAY)
    await asOnlyLoader(whole, async (lease) => {
      const source = sampleSource({ seed: SAMPLE_SEED, today: BEFORE, days: options.days })
      const history = { source, fingerprint: sampleFingerprint(SAMPLE_SEED, BEFORE), today: BEFORE }
      await takeIn(whole, lease, history, options)
      await takeIn(whole, lease, daysUpTo(BEFORE, TODAY, TODAY, options.days), options)
    })

    const db = await makeDb()
    await seedSampleOrganisations(db, TODAY)
    await beginSample(db, options)
    const [head] = await db.query<{ projects: number; matches: number; new: number }>(sql`
      select (select count(*) from projects) as projects, (select count(*) from project_matches) as matches,
        (select count(*) from projects where first_load = (select max(id) from loads where state = 'published')) as new`)
    const stop = new AbortController()
    const stopAfterParts = { ...options, signal: stop.signal, onProgress: () => stop.abort(new Error('killed')) }
    await expect(finishSample(db, stopAfterParts)).rejects.toThrow('killed')
    const [between] = await db.query<{ projects: number }>(sql`select count(*) as projects from projects`)
    expect(between!.projects).toBeGreaterThan(head!.projects)
    expect(await beginSample(db, options)).toBeUndefined()
    await finishSample(db, options)

    const [expected, found] = [await contentOf(whole), await contentOf(db)]
    for (const [table, rows] of Object.entries(expected)) {
      const ours = new Set(found[table as keyof typeof found])
      expect(rows.length, table).toBeGreaterThan(0)
      expect(rows.filter((row) => !ours.has(row)).slice(0, 3), table).toEqual([])
      expect(ours.size, table).toBe(new Set(rows).size)
    }
    // The head is a subset of all projects, has matches, and marks only the last load as new.
    expect(head!.projects).toBeLessThan(expected.projects.length)
    expect(head!.matches).toBeGreaterThan(100)
    expect(head!.new).toBeLessThan(head!.projects / 2)
  }, 300_000)
})
