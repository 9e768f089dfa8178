import { readdir } from 'node:fs/promises'
import path from 'node:path'
import sql from 'sql-template-tag'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { listNightlyRuns, readIntakeSourceState } from '#server/catalogue/intake/intake-sources.ts'
import { readIntakeSourceOverviews } from '#server/catalogue/intake/source-overviews.ts'
import { buildTestZip } from '#server/documents/bundle/zip-for-tests.ts'
import { createS3DocumentStore } from '#server/documents/store/s3-document-store.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { makePdf } from '../../../test/make-pdf.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { S3Server } from '../../../test/server/s3-server.ts'
import { makeDocumentsWorld } from '../../../test/world/documents-world.ts'
import { CONTACT } from '../../../test/world/intake-world.ts'

/** The evening of a Monday. */
const EVENING = '2026-11-23T17:31:00+07:00'
const SEVEN = '2026-11-23T19:00:00+07:00'
const pdf = (text: string) => makePdf([[text]])

onEachEngineInTurn('documents of e-GP, fetched', (makeDb) => {
  let db: OpenDb
  let world: Awaited<ReturnType<typeof makeDocumentsWorld>>
  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    world = await makeDocumentsWorld(db, EVENING)
  })
  afterEach(() => world.close())

  const documents = (organisation = world.organisations[0]) =>
    db.query<{ project: string; name: string; type: string; state: string; link: string | null }>(sql`
      select project_id as project, name, type, state, link from documents where organisation_id = ${organisation}::int order by project_id, added_at, name`)
  const links = () =>
    db.query<{ project: string; state: string; reason: string | null }>(
      sql`select project_id as project, state, reason from intake_links order by project_id, type`,
    )
  const night = async (day: number) => {
    world.clock.passUntil(new Date(`2026-11-${day}T17:35:00+07:00`))
    await world.live(`2026-11-${day}T18:30:00+07:00`)
  }
  const source = () => readIntakeSourceState(db, 'egp-documents')
  const files = async () =>
    (await readdir(path.join(world.dataDir, 'documents'), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    ).length

  test('fetches the invitation of a matched project once, for every organisation with it in the report', async () => {
    const link = world.server.put('/view?id=1', pdf('ประกาศ'))
    await world.announce('1', link)
    // The job must not request links of a project in no report or pages on another host.
    await world.announce('999', world.server.put('/view?id=999', pdf('ก')))
    await world.announce('2', 'https://elsewhere.example/2.pdf')
    await world.announce('3', '')
    await world.live(SEVEN)
    expect(world.server.requests).toEqual(['/view?id=1'])
    expect([...world.server.agents]).toEqual([`tamngan/1.0 (+mailto:${CONTACT})`])
    for (const organisation of world.organisations)
      expect(await documents(organisation)).toEqual([
        { project: '1', name: 'ประกาศเชิญชวน.pdf', type: 'pdf', state: 'read', link },
      ])
    expect(await files()).toBe(1)
    expect(await links()).toMatchObject([
      { state: 'had' },
      { state: 'failed', reason: expect.stringContaining('elsewhere') },
    ])
    expect(await listNightlyRuns(db, 'egp-documents', 1)).toMatchObject([
      { planned: 2, requests: 2, answers: 1, newItems: 1, unreadableItems: 1 },
    ])
    expect(
      (await readIntakeSourceOverviews(db, world.clock.now())).find((row) => row.source === 'egp-documents'),
    ).toMatchObject({
      totalReceived: 1,
      label: 'เอกสารประกาศ e-GP',
    })
  })

  test('a bucket outage does not count against the site: the link waits for the bucket', async () => {
    const bucket = new S3Server()
    await bucket.start()
    await world.close()
    world = await makeDocumentsWorld(db, EVENING, (folder) =>
      createS3DocumentStore(bucket.settings(), { folder, scale: 0.01 }),
    )
    await bucket.close()
    await world.announce('1', world.server.put('/view?id=1', pdf('ประกาศ')))
    await world.live('2026-11-23T17:40:00+07:00')
    expect(await links()).toMatchObject([{ state: 'waiting', reason: null }])
    expect([await documents(), (await source())?.isOn]).toEqual([[], true])
    expect(await files()).toBe(0)
    await bucket.start()
    await world.live(SEVEN)
    expect(await documents()).toMatchObject([{ project: '1', state: 'read' }])
    expect(bucket.files.size).toBe(1)
    await bucket.close()
  })

  test('fetches a bundle only for organisations that follow the project, and stores its PDFs', async () => {
    const bundle = buildTestZip([
      { name: 'Attach_TOR_1.pdf', content: pdf('ขอบเขต') },
      { name: 'bond.pdf', content: pdf('ก') },
    ])
    await world.announce('1', world.server.put('/b?1', bundle), { type: 'B0' })
    await world.announce('2', world.server.put('/b?2', bundle), { type: 'B0' })
    await world.star('1', world.users[0])
    await world.live(SEVEN)
    expect(world.server.requests).toEqual(['/b?1'])
    expect(await documents()).toMatchObject([
      { name: 'Attach_TOR_1.pdf', type: 'pdf', state: 'read' },
      { name: 'ร่างประกาศและขอบเขตของงาน.zip', type: 'zip', state: 'read' },
    ])
    expect(await documents(world.organisations[1])).toEqual([])
    await world.star('1', world.users[1])
    await world.live('2026-11-23T20:00:00+07:00')
    expect(world.server.requests).toEqual(['/b?1'])
    expect(await documents(world.organisations[1])).toHaveLength(2)
  })

  test('changed content behind a link becomes a new version next to the old one, and users who starred the project are notified once', async () => {
    await world.announce('1', world.server.put('/1', pdf('ฉบับแรก')))
    await world.announce('2', world.server.put('/2', pdf('ไม่เปลี่ยน')))
    await world.star('1', world.users[0])
    await world.live(SEVEN)
    world.server.put('/1', pdf('ฉบับแก้ไข'))
    await night(25)
    expect(world.server.requests.toSorted()).toEqual(['/1', '/2'])
    // The job requests the link again on the third night, because a user follows the project.
    await night(26)
    expect(world.server.requests.toSorted()).toEqual(['/1', '/1', '/2'])
    expect((await documents()).map(({ project, name }) => [project, name])).toEqual([
      ['1', 'ประกาศเชิญชวน.pdf'],
      ['1', 'ประกาศเชิญชวน ฉบับที่ 2.pdf'],
      ['2', 'ประกาศเชิญชวน.pdf'],
    ])
    expect(await files()).toBe(3)
    expect(await db.query(sql`select user_id, type, project_id from notifications`)).toEqual([
      { user_id: world.users[0], type: 'Document_changed', project_id: '1' },
    ])
    // The announcement changed while its link stayed the same, so the job requests the link again at once and gets the
    // same content.
    await db.execute(
      sql`update intake_announcements set changed_at = '2026-11-28T17:00:00+07:00' where project_id = '2'`,
    )
    await night(28)
    expect(world.server.requests.filter((url) => url === '/2')).toHaveLength(2)
    expect(await db.query(sql`select from notifications`)).toHaveLength(1)
    expect(await db.query(sql`select link_id, version from intake_versions`)).toHaveLength(3)
  })

  test('documents of a tier wait until the feed has queried its notices', async () => {
    await db.script(`
      insert into intake_sources (source, is_on, address, contact, opens_at, closes_at, pace_ms, night) values ('egp-rss', true, 'x', 'x', '17:30', '08:30', 4000, '2026-11-23');
      insert into intake_nights (source, night, begun_at) values ('egp-rss', '2026-11-23', now());
      insert into intake_agencies (code, name, name_key, tier) values ('0001', 'a', 'a', 'A'), ('0002', 'b', 'b', 'B');
      insert into intake_queries (agency, type, due, is_planned) values ('0002', 'D0', '2026-11-23', true), ('0001', 'W0', '2026-11-23', true)`)
    await world.announce('1', world.server.put('/a', pdf('ก')), { agency: '0001' })
    await world.announce('2', world.server.put('/b', pdf('ข')), { agency: '0002' })
    await world.live('2026-11-23T18:00:00+07:00')
    expect(world.server.requests).toEqual(['/a'])
    await db.script("update intake_queries set is_planned = false where type = 'D0'")
    await world.live('2026-11-23T18:30:00+07:00')
    expect(world.server.requests).toEqual(['/a', '/b'])
  })

  test('resumes broken downloads; reports a non-document, oversized, missing or foreign file and continues', async () => {
    const put = async (project: string, name: string) => world.announce(project, world.server.put(name, pdf(name)))
    await put('1', '/cut')
    world.server.faults.set('/cut', { kind: 'breaks', after: 300, times: 2 })
    await put('10', '/always-cut')
    world.server.faults.set('/always-cut', { kind: 'breaks', after: 300, times: 99 })
    await world.announce('2', world.server.put('/word.exe', Buffer.from('MZ this is a program')))
    await put('3', '/endless')
    world.server.faults.set('/endless', { kind: 'endless' })
    await put('4', '/gone')
    world.server.faults.set('/gone', { kind: 'status', status: 404 })
    await put('5', '/moved')
    world.server.faults.set('/moved', { kind: 'redirects', to: 'https://elsewhere.example/x.pdf' })
    await put('6', '/page')
    world.server.faults.set('/page', { kind: 'page' })
    await put('7', '/hangs')
    world.server.faults.set('/hangs', { kind: 'hangs' })
    await put('8', '/good')
    await world.live('2026-11-23T20:00:00+07:00')
    expect(Object.fromEntries((await links()).map(({ project, state, reason }) => [project, reason ?? state]))).toEqual(
      {
        1: 'had',
        2: 'รับเฉพาะไฟล์ PDF, ZIP และรูปภาพ JPEG หรือ PNG',
        3: 'ไฟล์ใหญ่เกิน 50 MB',
        4: 'ไม่พบไฟล์ (HTTP 404)',
        5: expect.stringContaining('elsewhere.example'),
        6: 'ได้หน้าเว็บแทนเอกสาร',
        7: 'ไม่ตอบในเวลาที่กำหนด',
        8: 'had',
        10: expect.stringContaining('ขาดตอน'),
      },
    )
    expect(world.server.requests.filter((url) => url === '/always-cut')).toHaveLength(3)
    expect(world.server.parallel).toBe(0)
    expect(await files()).toBe(2)
    expect(await source()).toMatchObject({ haltedAt: null })
  })

  test('after 429 pauses 5, 15 and 45 minutes, and then until the next night', async () => {
    await world.announce('1', world.server.put('/1', pdf('ก')))
    world.server.fault = { kind: 'status', status: 429 }
    await world.live('2026-11-24T08:00:00+07:00')
    expect(world.server.requests).toHaveLength(4)
    expect(await listNightlyRuns(db, 'egp-documents', 1)).toMatchObject([{ outcome: 'refused', refusals: 4 }])
    world.server.fault = undefined
    await night(24)
    expect(await links()).toMatchObject([{ state: 'had' }])
  })

  test('a firewall page halts the source at once and alerts the operator; so do four pages in a row', async () => {
    for (const n of ['1', '2', '3', '4', '5', '6']) await world.announce(n, world.server.put(`/${n}`, pdf(n)))
    world.server.fault = { kind: 'rejection' }
    await world.live('2026-11-24T08:00:00+07:00')
    expect(world.server.requests).toHaveLength(1)
    expect(await source()).toMatchObject({ haltedReason: expect.stringContaining('page') })
    expect(world.mails).toEqual([{ to: CONTACT, subject: 'หยุดดึงข้อมูลจาก egp-documents: ต้นทางปฏิเสธ' }])
    await db.script(
      "update intake_sources set halted_at = null, halted_reason = null; update jobs set state = 'waiting'",
    )
    world.server.fault = { kind: 'page' }
    await db.script("update jobs set run_at = '2026-11-24T08:20:00+07:00' where kind = 'intake'")
    await world.live('2026-11-24T08:20:00+07:00')
    expect(world.server.requests).toHaveLength(5)
    expect((await source()).haltedAt).not.toBeNull()
  })
})
