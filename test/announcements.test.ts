import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import sql from 'sql-template-tag'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildAnnouncementBatch } from '#server/catalogue/announcement/announcement-source.ts'
import type { ReceivedAnnouncement } from '#server/catalogue/announcement/parse-announcement.ts'
import { getAcceptedRecords, readAllFeedItems } from '#server/catalogue/feed/feed-for-tests.ts'
import { applyAnnouncements } from '#server/jobs/intake/apply-announcements.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from './server/databases.ts'
import { emptyTables } from './server/empty-tables.ts'

const NOW = new Date('2026-05-28T02:00:00Z')
const DOCUMENT = 'https://process5.gprocurement.go.th/egp-template-service/dwnt/view-pdf-file?templateId='
const item = (fields: Partial<ReceivedAnnouncement> = {}): ReceivedAnnouncement => ({
  projectId: '69059440953',
  type: 'D0',
  title: 'ประกวดราคาซื้อเครื่องกำเนิดไฟฟ้า จังหวัดเพชรบูรณ์ ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
  link: `${DOCUMENT}417e424b`,
  publishedOn: '2026-05-26',
  agencyCode: '0204',
  ...fields,
})

onEachEngineInTurn('announcements of the live feed', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    await emptyTables(db, 'projects', 'loads', 'purchase_plans', 'agency_codes', 'job_leases')
    await db.script(
      `insert into agency_codes values ('0204', 'กองทัพบก', null), ('5660601', 'เทศบาลตำบลโพทะเล', 66), ('6550102', 'เทศบาลตำบลดู่', 55), ('6320103', 'เทศบาลตำบลดู่', 32)`,
    )
  })
  const apply = (...received: ReceivedAnnouncement[]) => applyAnnouncements(db, received, { now: () => NOW })
  const project = async (id = '69059440953') => {
    const [row] = await db.query<Record<string, unknown>>(sql`
      select p.*, d.name as dept_name, d.province as dept_province from projects p join departments d on d.id = p.department_id
      where p.project_id = ${id}`)
    return row
  }

  test('creates a project from an invitation with exactly the facts of the item', async () => {
    const { load } = await apply(item())
    expect(load).toMatchObject({ read: 1, newProjects: 1, quarantined: 0 })
    expect(await project()).toMatchObject({
      name: item().title,
      dept_name: 'กองทัพบก',
      dept_province: null,
      project_province: 67,
      movement: 'invited',
      movement_on: '2026-05-26',
      bidding_invited_on: '2026-05-26',
      status: 'in_progress',
      source: 'egp-rss',
      budget_satang: null,
      estimate_satang: null,
      winner_satang: null,
      winner_name: null,
      submission_ends_on: null,
      submission_time: null,
      draft_discussion_ends_on: null,
      criteria: 'no_data',
      method: '',
    })
    expect(await db.query(sql`select url, step, published_on from attachments`)).toEqual([
      { url: item().link, step: 'invited', published_on: '2026-05-26' },
    ])
  })

  test('moves the stage by type, the oldest first in any order of arrival', async () => {
    const steps = [
      ['W2', '2026-05-25', 'winner_amended'],
      ['B0', '2026-05-10', 'draft_published'],
      ['D2', '2026-05-20', 'invitation_amended'],
      ['15', '2026-05-11', 'reference_price_published'],
      ['W0', '2026-05-24', 'winner_announced'],
      ['D0', '2026-05-18', 'invited'],
    ] as const
    await apply(...steps.map(([type, publishedOn]) => item({ type, publishedOn, link: `${DOCUMENT}${type}` })))
    expect(await project()).toMatchObject({ movement: 'winner_amended', winner_announced_on: '2026-05-24' })
    const seen = await db.query(sql`select movement from announcements order by announced_on`)
    const inOrder = steps.toSorted((a, b) => (a[1] < b[1] ? -1 : 1)).map(([, , movement]) => ({ movement }))
    expect(seen).toEqual(inOrder)

    await apply(item({ type: 'W1', publishedOn: '2026-05-27' }))
    expect(await project()).toMatchObject({ movement: 'winner_cancelled', status: 'in_progress' })
    await apply(item({ type: 'D1', publishedOn: '2026-05-28' }))
    expect(await project()).toMatchObject({ movement: 'invitation_cancelled', status: 'invitation_cancelled' })
    expect(await db.query(sql`select count(*)::int as n from projects`)).toEqual([{ n: 1 }])
  })

  test('ignores a repeated batch, and takes a changed title under the same link as newer', async () => {
    await apply(item())
    expect((await apply(item())).load).toMatchObject({ newProjects: 0, updatedProjects: 0, unchangedProjects: 1 })
    await apply(item({ title: 'ประกวดราคาซื้อเครื่องกำเนิดไฟฟ้า (แก้ไข)' }))
    expect(await project()).toMatchObject({ name: 'ประกวดราคาซื้อเครื่องกำเนิดไฟฟ้า (แก้ไข)' })
    expect(await db.query(sql`select count(*)::int as n from announcements`)).toEqual([{ n: 1 }])
  })

  test('finds the province of a local body, and no agency for an unknown code', async () => {
    await apply(item({ agencyCode: '5660601' }), item({ projectId: '69059218064', agencyCode: '9999' }))
    expect(await project()).toMatchObject({ dept_name: 'เทศบาลตำบลโพทะเล', dept_province: 66 })
    expect(await project('69059218064')).toMatchObject({ dept_name: 'ไม่ระบุหน่วยงาน', dept_province: null })
  })

  test('quarantines invalid items with the reason, and processes the rest', async () => {
    const { load } = await apply(
      item({ type: 'X9' }),
      item({ projectId: '' }),
      item({ projectId: 'P69100030274' }),
      item({ title: '<b></b>' }),
      item({ publishedOn: '2026-13-45' }),
      item({ publishedOn: '' }),
      item({ publishedOn: '2096-01-01' }),
      item({ link: 'javascript:alert(1)', title: 'ซื้อ<br/>ปั๊มน้ำ <script>alert(1)</script>' }),
    )
    expect(load).toMatchObject({ read: 8, quarantined: 7, newProjects: 1 })
    expect(await project()).toMatchObject({ name: 'ซื้อ ปั๊มน้ำ alert(1)' })
    expect(await db.query(sql`select from attachments`)).toEqual([])
    const reasons = await db.query<{ reason: string }>(sql`select reason from quarantined_rows order by reason`)
    expect(reasons.map(({ reason }) => reason)).toEqual(
      [
        'ไม่รู้จักประเภทประกาศ "X9"',
        'ไม่มีรหัสโครงการ',
        'รหัสโครงการ "P69100030274" ไม่ใช่เลข 11 หลัก',
        'ไม่มีชื่อโครงการ (title)',
        'pubDate: อ่านวันที่ "2026-13-45" ไม่ได้',
        'ไม่มีวันที่ประกาศ (pubDate)',
        'pubDate: อ่านวันที่ "2096-01-01" ไม่ได้',
      ].toSorted(),
    )
  })

  test('links a waiting plan when its project arrives, but not when two plans match', async () => {
    const plan = { type: 'P0', projectId: 'P69050030274', title: 'ซื้อเครื่องกำเนิดไฟฟ้า จังหวัดเพชรบูรณ์' }
    expect(await apply(item({ ...plan, publishedOn: '2026-05-01' }))).toEqual({
      load: undefined,
      plans: 1,
      linkedPlans: 0,
    })
    expect(await apply(item({ agencyCode: '5660601' }))).toMatchObject({ linkedPlans: 0 })
    expect(await apply(item())).toMatchObject({ linkedPlans: 1 })
    expect(await db.query(sql`select plan_id, project_id from purchase_plans`)).toEqual([
      { plan_id: 'P69050030274', project_id: '69059440953' },
    ])
    await apply(
      item({ ...plan, projectId: 'P69050000001', title: 'เช่ารถ', publishedOn: '2026-05-01' }),
      item({ ...plan, projectId: 'P69050000002', title: 'เช่ารถ', publishedOn: '2026-05-01' }),
      item({ projectId: '69059218064', title: 'ประกวดราคาเช่ารถ' }),
    )
    expect(await db.query(sql`select from purchase_plans where project_id is null`)).toHaveLength(2)
  })

  test('links a late plan to its project at once, but not one newer than the project', async () => {
    const title = 'ซื้อเครื่องกำเนิดไฟฟ้า จังหวัดเพชรบูรณ์'
    await apply(item(), item({ projectId: '69059218064', title: 'ประกวดราคาเช่ารถ' }))
    const plan = (projectId: string, name: string, publishedOn: string) =>
      item({ type: 'P0', projectId, title: name, publishedOn })
    expect(await apply(plan('P69050030274', title, '2026-05-01'))).toMatchObject({ linkedPlans: 1 })
    expect(await apply(plan('P69050030275', 'เช่ารถ', '2026-05-27'))).toMatchObject({ linkedPlans: 0 })
    expect(await db.query(sql`select plan_id from purchase_plans where project_id = '69059440953'`)).toEqual([
      { plan_id: 'P69050030274' },
    ])
  })

  test('links no plan to the project of a body of the same name in another province', async () => {
    await apply(item({ agencyCode: '6550102', title: 'ประกวดราคาเช่ารถ' }))
    const planOf = (agencyCode: string, projectId: string) =>
      item({ type: 'P0', projectId, agencyCode, title: 'เช่ารถ', publishedOn: '2026-05-01' })
    expect(await apply(planOf('6320103', 'P69050030276'))).toMatchObject({ linkedPlans: 0 })
    expect(await apply(planOf('6550102', 'P69050030277'))).toMatchObject({ linkedPlans: 1 })
  })

  test('clears the announcement day of withdrawn winners, and sets that of later ones', async () => {
    const step = (type: string, publishedOn: string) =>
      item({ type, publishedOn, link: `${DOCUMENT}${type}${publishedOn}` })
    await apply(step('W0', '2026-05-20'), step('W1', '2026-05-22'))
    expect(await project()).toMatchObject({ movement: 'winner_cancelled', winner_announced_on: null })
    // Another query in the same night returns the earlier announcement again, which must change nothing.
    await apply(step('W0', '2026-05-20'))
    expect(await project()).toMatchObject({ movement: 'winner_cancelled', winner_announced_on: null })
    await apply(step('W0', '2026-05-26'))
    expect(await project()).toMatchObject({ movement: 'winner_announced', winner_announced_on: '2026-05-26' })
  })
})

const FILE = path.join(import.meta.dirname, '../../shared/documents/rss/items-real.json')
const isThere = existsSync(FILE)
if (!isThere) console.warn(`\n*** NO real items at ${FILE}: their reading is NOT tested. ***\n`)

type RealItem = Record<'projectId' | 'title' | 'deptId' | 'pubDate' | 'link' | 'anounce_type', string>
/** Stage of each announcement type in the 1,233 items, and the date field that it sets. */
const STAGES: Record<string, readonly [movement: string, date: string | undefined]> = {
  B0: ['draft_published', 'draftPublishedOn'],
  D0: ['invited', 'biddingInvitedOn'],
  D1: ['invitation_cancelled', undefined],
  W0: ['winner_announced', 'winnerAnnouncedOn'],
}
/**
 * Fields that a record from the feed may have. The feed does not state any other field, so a value there would be a
 * guess.
 */
const MAY_SAY = ['projectId', 'name', 'projectProvince', 'deptName', 'announcements', 'attachments']

describe.skipIf(!isThere)('the 1,233 real items of May 2569', () => {
  test('get their stage and type, without invented facts', async () => {
    const real = JSON.parse(readFileSync(FILE, 'utf8')) as RealItem[]
    expect(real).toHaveLength(1_233)
    let guessed = 0
    for (const realItem of real) {
      const received: ReceivedAnnouncement = {
        ...realItem,
        type: realItem.anounce_type,
        publishedOn: realItem.pubDate,
        agencyCode: realItem.deptId,
      }
      const agencies = new Map([[realItem.deptId, { name: `หน่วยงาน ${realItem.deptId}`, province: null }]])
      const { source, plans } = buildAnnouncementBatch([received], { agencies, today: '2026-05-28' })
      const [record] = getAcceptedRecords(await readAllFeedItems(source))
      const [movement, date] = STAGES[realItem.anounce_type]!
      expect([plans, record]).toMatchObject([
        [],
        {
          projectId: realItem.projectId,
          // Some titles contain ำ as two characters.
          name: realItem.title.replace(/\s+/g, ' ').replaceAll('\u0e4d\u0e32', '\u0e33').trim(),
          deptName: `หน่วยงาน ${realItem.deptId}`,
          announcements: [{ movement, announcedOn: realItem.pubDate }],
          ...(date === undefined ? {} : { [date]: realItem.pubDate }),
        },
      ])
      expect(record?.attachments?.map(({ url, step }) => [url, step])).toEqual(
        realItem.link === '' ? undefined : [[realItem.link, movement]],
      )
      guessed += Object.entries(record!).filter(
        ([field, value]) => value !== undefined && field !== date && !MAY_SAY.includes(field),
      ).length
    }
    expect(guessed).toBe(0)
  })
})
