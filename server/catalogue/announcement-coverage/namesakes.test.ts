import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { listCoverageMisses } from './list-misses.ts'
import { findFeedAgencyCodes, listFollowedAgencies } from './queries.ts'

const [NAN, SURIN, HIGHWAYS] = ['6550102', '6320103', '0808']

onEachEngine('coverage of local governments of one name', (makeDb) => {
  let db: OpenDb
  let organisationId: number
  beforeAll(async () => {
    db = await makeDb()
    organisationId = await addOrganisation(db, { words: { deptsub_include: ['หมวดทางหลวงดู่'] } })
    await db.script(`
      insert into intake_agencies (code, name, name_key)
        values ('${NAN}', 'เทศบาลตำบลดู่', 'เทศบาลตำบลดู่'), ('${SURIN}', 'เทศบาลตำบลดู่', 'เทศบาลตำบลดู่'), ('${HIGHWAYS}', 'กรมทางหลวง', 'กรมทางหลวง');
      insert into agency_codes (code, name, province)
        values ('${NAN}', 'เทศบาลตำบลดู่', 55), ('${SURIN}', 'เทศบาลตำบลดู่', 32), ('${HIGHWAYS}', 'กรมทางหลวง', null);
      insert into departments (name, sub_name, province) values ('กรมทางหลวง', 'หมวดทางหลวงดู่', 55), ('เทศบาลตำบลดู่', 'เทศบาลตำบลดู่', 55);
      insert into intake_announcements (source, project_id, type, link, title, method, label, published_on, agency, first_seen_at, last_seen_at, hash)
        values ('egp-rss', '69119000001', 'D0', '', 'ซื้อรถ', '', '', '2026-11-20', '${SURIN}', '2026-11-21T10:00:00Z', '2026-11-21T10:00:00Z', '');
      insert into coverage_counts (day, agency, counted) values ('2026-11-20', '${NAN}', 3)`)
  })

  test('includes only the followed one', async () => {
    const codesOf = async (...keys: string[]) => {
      const userId = await addUser(db, organisationId)
      await db.execute(sql`
        insert into follows (user_id, organisation_id, kind, key, name, created_at)
        select ${userId}::int, ${organisationId}::int, 'department', key, key, now() from unnest(${keys}::text[]) key`)
      return (await findFeedAgencyCodes(db, await listFollowedAgencies(db, { organisationId, userId }))).toSorted()
    }
    // The word of the organisation is a unit in one province of a department without a province.
    expect(await codesOf()).toEqual([HIGHWAYS])
    expect(await codesOf('เทศบาลตำบลดู่ › กองช่าง › 55')).toEqual([HIGHWAYS, NAN])
    expect(await codesOf('เทศบาลตำบลดู่')).toEqual([HIGHWAYS, SURIN, NAN])
  })

  test('names each by its province', async () => {
    const { items, unlisted, unknown } = await listCoverageMisses(db, '2026-11-20', undefined)
    expect(items.map(({ agency }) => agency)).toEqual(['เทศบาลตำบลดู่ จ.สุรินทร์'])
    expect(unlisted).toEqual([{ agency: 'เทศบาลตำบลดู่ จ.น่าน', counted: 3, missing: 3 }])
    expect(unknown.map(({ agency }) => agency).toSorted()).toEqual([
      'กรมทางหลวง',
      'เทศบาลตำบลดู่ จ.น่าน',
      'เทศบาลตำบลดู่ จ.สุรินทร์',
    ])
  })
})
