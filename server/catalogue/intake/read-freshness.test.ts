import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { addLoad, putProjects, setWords } from '../../../test/world/report-world.ts'
import { readAgencyDataFreshness } from './read-freshness.ts'

const NOW = '2026-11-23T02:00:00.000Z'
const hoursAgo = (hours: number) => new Date(Date.parse(NOW) - hours * 3_600_000).toISOString()

onEachEngineInTurn('how fresh the report is', (makeDb) => {
  let db: OpenDb

  beforeEach(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-23')
    const [{ id }] = (await db.query<{ id: number }>(sql`select id from organisations where code = 'tharamek'`)) as [
      { id: number },
    ]
    await setWords(db, id, { include: ['กล้อง'] })
    const load = await addLoad(db)
    await putProjects(db, load, [
      { id: '67110000001', dept: 'กรมถาม', unit: 'กองช่าง', movementOn: '2026-11-20' },
      { id: '67110000002', dept: 'กรมไม่ถาม', unit: 'กองคลัง', movementOn: '2026-11-20' },
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  })

  const switchOn = (lastAnswer: string) =>
    db.execute(sql`
      insert into intake_sources (source, is_on, address, contact, opens_at, closes_at, probe_at, pace_ms, last_answer_at)
      values ('egp-rss', true, 'https://feed.example', 'ops@tamngan.example', '17:30', '08:30', null, 4000, ${lastAnswer}::timestamptz)`)
  const night = (day: string, endedAt: string, outcome: string) =>
    db.execute(sql`
      insert into intake_nights (source, night, begun_at, ended_at, outcome)
      values ('egp-rss', ${day}::date, ${endedAt}::timestamptz - interval '10 hours', ${endedAt}::timestamptz, ${outcome})`)
  const gap = async (missing: number) => {
    await db.execute(sql`
      insert into intake_agencies (code, name, name_key, answered_at) values ('0101', 'กรมถาม', 'กรมถาม', ${hoursAgo(3)}::timestamptz)`)
    await db.execute(
      sql`insert into intake_gaps (agency, type, day, expected, found) values ('0101', 'D0', '2026-11-20', ${20 + missing}::int, 20)`,
    )
  }
  const readFreshness = async (enter?: (app: Awaited<ReturnType<typeof appOn>>) => Promise<SignedIn>) => {
    const app = await appOn(db, { now: () => new Date(NOW) })
    const user = await (enter ? enter(app) : signIn(app, 'manager@tharamek.example'))
    const fetchFreshness = async (url: string) => {
      const answer = await app.inject({ url: `/api/v2${url}`, headers: user.headers })
      return (answer.json() as { freshness?: unknown }).freshness
    }
    const answers = [
      await fetchFreshness('/projects'),
      await fetchFreshness('/projects/67110000001'),
      await fetchFreshness('/projects/67110000002'),
    ]
    await app.close()
    return answers
  }

  test('reports nothing while no source is on, as with demo data', async () => {
    expect(await readFreshness()).toEqual([undefined, undefined, undefined])
  })

  test('reports a full night, and for an agency its own last response', async () => {
    await switchOn(hoursAgo(1))
    await night('2026-11-21', hoursAgo(25), 'complete')
    await gap(0)
    const all = { checked_at: hoursAgo(1), missing: 0, is_late: false, full_at: hoursAgo(25) }
    expect(await readFreshness()).toEqual([all, { ...all, checked_at: hoursAgo(3) }, undefined])
    expect(await readFreshness(enterDemo)).toEqual([undefined, undefined, undefined])
  })

  test('counts missing announcements, and is late 36 hours after the last full night', async () => {
    await switchOn(hoursAgo(1))
    await night('2026-11-20', hoursAgo(37), 'complete')
    await night('2026-11-21', hoursAgo(13), 'cut_short')
    await gap(12)
    const all = { checked_at: hoursAgo(1), missing: 12, is_late: true, full_at: hoursAgo(37) }
    expect(await readFreshness()).toEqual([all, { ...all, checked_at: hoursAgo(3) }, undefined])
  })

  test('does not take the response of a local government for that of another one of its name', async () => {
    await switchOn(hoursAgo(1))
    await db.script(`
      insert into intake_agencies (code, name, name_key, answered_at) values ('6550102', 'เทศบาลตำบลดู่', 'เทศบาลตำบลดู่', '${hoursAgo(3)}'),
        ('6320103', 'เทศบาลตำบลดู่', 'เทศบาลตำบลดู่', '${hoursAgo(5)}'), ('0101', 'กรมถาม', 'กรมถาม', '${hoursAgo(7)}');
      insert into agency_codes (code, name, province) values ('6550102', 'เทศบาลตำบลดู่', 55), ('6320103', 'เทศบาลตำบลดู่', 32), ('0101', 'กรมถาม', null)`)
    const overall = { checked_at: hoursAgo(1), missing: 0, is_late: false, full_at: null }
    const checkedAt = async (name: string, province: number | null) =>
      (await readAgencyDataFreshness(db, { names: [name], province }, overall))?.checked_at
    expect(await checkedAt('เทศบาลตำบลดู่', 55)).toBe(hoursAgo(3))
    expect(await checkedAt('เทศบาลตำบลดู่', 32)).toBe(hoursAgo(5))
    expect(await checkedAt('เทศบาลตำบลดู่', 21)).toBeUndefined()
    expect(await checkedAt('เทศบาลตำบลดู่', null)).toBeUndefined()
    expect(await checkedAt('กรมถาม', 55)).toBe(hoursAgo(7))
    expect(await checkedAt('กรมถาม', null)).toBe(hoursAgo(7))
    await db.script(`delete from intake_agencies where code = '6320103'`)
    expect(await checkedAt('เทศบาลตำบลดู่', null)).toBe(hoursAgo(3))
  })

  test('counts from the first night for a source without a full one', async () => {
    await switchOn(hoursAgo(1))
    await night('2026-11-20', hoursAgo(30), 'cut_short')
    expect((await readFreshness())[0]).toEqual({ checked_at: hoursAgo(1), missing: 0, is_late: true, full_at: null })
  })
})
