import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatMorningFigures, getMorningFigures, type MorningQueue } from '#contract/report/morning-queue.ts'
import type { ReportPageResponse } from '#contract/report/report.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { buildMorningSummary } from '#server/channels/channel/morning-summary.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import type { OpenedMail } from '../../../test/server/mails.ts'
import {
  buildDueReportMails,
  type Changes,
  emptyReportTables,
  findLinkUrl,
  listProjectIdsUnder,
  listReportMails,
  publish,
  reportMailDependencies,
  saveFilter,
} from '../../../test/world/report-mail-world.ts'
import { type ProjectInput, setConfig, setWords } from '../../../test/world/report-world.ts'

/** 10:00 in Bangkok. */
const NOW = new Date('2026-11-21T03:00:00Z')
const EMAIL = 'sales@tharamek.example'
const id = (n: number) => String(69_119_000_000 + n)
const byText = (a: string, b: string) => (a < b ? -1 : 1)
const camera = (n: number, over: Partial<ProjectInput> = {}): Partial<ProjectInput> => ({
  id: id(n),
  name: `ซื้อกล้องวงจรปิด แห่งที่ ${n}`,
  movementOn: `2026-11-${String(20 - (n % 10)).padStart(2, '0')}`,
  ...over,
})

onEachEngineInTurn('the content of a report mail', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let user: { id: number; organisation: number }
  let session: SignedIn

  beforeAll(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    app = await appOn(db, { now: () => NOW })
    session = await signIn(app, EMAIL)
    const [row] = await db.query<typeof user>(
      sql`select id, organisation_id as organisation from users where email = ${EMAIL}`,
    )
    user = row!
    // Leave this user as the only recipient, because others would only add emails.
    await db.execute(sql`update users set is_send_report_email = id = ${user.id}::int`)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    await emptyReportTables(db, 'saved_filters', 'labels', 'bookmarks', 'hidden_projects')
    await setWords(db, user.organisation, { include: ['กล้อง'], exclude: ['เช่า'] })
    await setConfig(db, user.organisation, {})
    await publish(db, [camera(900, { isArchived: true })], { now: NOW })
  })

  async function mailOf(
    projects: readonly Partial<ProjectInput>[],
    changes: Changes = {},
    now = NOW,
  ): Promise<OpenedMail | undefined> {
    await publish(db, projects, { now, changes })
    await buildDueReportMails(db, now)
    return (await listReportMails(db)).at(-1)
  }
  async function idsAt(address: string): Promise<string[]> {
    const query = address.slice(address.indexOf('?'))
    const page = await app.inject({ url: `/api/v2/projects${query}&page_size=100`, headers: session.headers })
    return (page.json() as ReportPageResponse).results.map(({ project_id }) => project_id)
  }

  test('words each section: deadline in working days, field old → new, winner with price and discount', async () => {
    await publish(db, [camera(1), camera(2), camera(3), camera(4)], { now: NOW })
    await db.script('delete from report_mails; delete from jobs')
    const mail = await mailOf(
      [
        camera(1, { submissionEndsOn: '2026-11-25', budget: 1_250_000_000 }),
        camera(2, { budget: 60_000_000 }),
        camera(3, { winner: 'บริษัท กล้องไทย จำกัด', winning: 80_000_000, estimate: 100_000_000 }),
        camera(5, { dept: 'กรมทดสอบ', unit: 'กองทดสอบ', province: 50 }),
      ],
      {
        [id(1)]: [['submission_end_date', '2026-11-28', '2026-11-25']],
        [id(2)]: [['budget', '1000000', '600000']],
        [id(3)]: [
          ['winner_name', null, 'บริษัท กล้องไทย จำกัด'],
          ['winner_budget', null, '800000'],
        ],
      },
    )
    expect(mail!.subject).toBe('ใหม่ 1 · อัปเดต 3 · ใกล้ปิด 1 – รายงานทั้งหมด')
    expect(listProjectIdsUnder(mail!, 'ปิดรับใน 7 วัน')).toEqual([id(1)])
    expect(listProjectIdsUnder(mail!, 'ใหม่')).toEqual([id(5)])
    expect(listProjectIdsUnder(mail!, 'อัปเดต')).toEqual([id(2)])
    expect(listProjectIdsUnder(mail!, 'ผลการพิจารณา')).toEqual([id(3)])
    for (const words of [
      'งบ 12.5 ล้านบาท · กองช่าง · กรุงเทพมหานคร',
      'ยื่นข้อเสนอถึง 25 พ.ย. 2569 · เหลือ 4 วัน (3 วันทำการ)',
      'วันสิ้นสุดยื่นข้อเสนอ: 28 พ.ย. 2569 → 25 พ.ย. 2569',
      'งบประมาณ: 1,000,000.00 → 600,000.00',
      'ผู้ชนะ บริษัท กล้องไทย จำกัด · 800,000 บาท · ต่ำกว่าราคากลาง 20.0%',
      'งบ 1 ล้านบาท · กองทดสอบ · เชียงใหม่',
    ]) {
      expect(mail!.text).toContain(words)
      expect(mail!.html.replaceAll(/<\/?[sb]>/g, '')).toContain(words)
    }
  })

  test('excludes cancelled projects and passed hours from "closing"; includes draft comments', async () => {
    const mail = await mailOf([
      camera(1, { submissionEndsOn: '2026-11-21' }),
      camera(2, { submissionEndsOn: '2026-11-22', status: 'project_cancelled' }),
      camera(3, { discussionEndsOn: '2026-11-23', movement: 'draft_published' }),
      camera(4, { submissionEndsOn: '2026-11-28' }),
      camera(5, { submissionEndsOn: '2026-11-29' }),
      camera(6, { submissionEndsOn: '2026-11-20' }),
    ])
    expect(mail!.subject).toContain('ใหม่ 6 · ใกล้ปิด 2 · วิจารณ์ร่าง 1')
    expect(listProjectIdsUnder(mail!, 'ปิดรับใน 7 วัน')).toEqual([id(1), id(4)])
    expect(listProjectIdsUnder(mail!, 'วิจารณ์ร่างถึงใน 7 วัน')).toEqual([id(3)])
    expect(mail!.text).toContain('วันนี้วันสุดท้าย')
    expect(mail!.text).toContain('วิจารณ์ร่างถึง 23 พ.ย. 2569')
    await db.execute(sql`update projects set submission_time = '08:30-09:45' where project_id = ${id(1)}`)
    await publish(db, [], { now: new Date(NOW.getTime() + 86_400_000) })
    await db.execute(sql`update report_mails set settled_at = null`)
    const rows = await listReportMails(db)
    await db.execute(sql`update report_mails set state = 'waiting'`)
    await db.execute(sql`
      update jobs set state = 'waiting', run_at = ${NOW.toISOString()}::timestamptz where kind = 'report_mail'`)
    await db.script(`delete from mails; delete from jobs where kind = 'mail'`)
    await buildDueReportMails(db, NOW)
    expect(rows).toHaveLength(1)
    expect(listProjectIdsUnder((await listReportMails(db))[0]!, 'ปิดรับใน 7 วัน')).toEqual([id(4)])
  })

  test('the mail, the queue that it links and the morning message of LINE give the same figures', async () => {
    await publish(db, [camera(1), camera(2)], { now: NOW })
    await saveFilter(db, user.id, { id: 'a-1', name: 'กล้องทั้งหมด', address: { project_name__in: 'กล้อง' } })
    const mail = await mailOf([
      camera(1, { budget: 60_000_000 }),
      camera(3),
      camera(4, { submissionEndsOn: '2026-11-24' }),
      camera(5, { submissionEndsOn: '2026-11-25', movement: 'draft_published', discussionEndsOn: '2026-11-23' }),
    ])
    const queueLink = findLinkUrl(mail!, 'ไล่ดูใหม่')
    const query = queueLink.slice(queueLink.indexOf('?'))
    expect(new URLSearchParams(query).get('queue')).toBe('true')
    const queue = await app.inject({ url: `/api/v2/projects/queue${query}`, headers: session.headers })
    const figures = getMorningFigures(queue.json() as MorningQueue)
    expect(figures).toMatchObject({ new: 3, closing: 1, comment: 1 })
    const text = formatMorningFigures(figures)
    expect(mail!.subject).toBe(`${text} – กล้องทั้งหมด`)
    expect(mail!.text).toContain(`เช้านี้: ${text}\n`)
    const message = await buildMorningSummary(
      db,
      reportMailDependencies.reader,
      { userId: user.id, organisationId: user.organisation, channel: 'line', filters: ['a-1'] },
      NOW,
    )
    expect(message).toMatchObject({ figures, path: queueLink })
  })

  test('a Monday mail adds the week; the other days and a second mail do not', async () => {
    const monday = new Date('2026-11-23T03:00:00Z')
    await db.execute(sql`update loads set published_at = ${NOW.toISOString()}::timestamptz`)
    const due = { submissionEndsOn: '2026-11-29' }
    const sunday = await mailOf([camera(1, due), camera(2, { submissionEndsOn: '2026-11-30' })])
    expect(sunday!.text).not.toContain('สัปดาห์นี้')
    await db.execute(sql`
      insert into pursuits (organisation_id, project_id, stage, stage_since, decision, created_at, changed_at)
      values (${user.organisation}::int, ${id(1)}, 'preparing', now(), 'bid', now(), now())`)
    await db.execute(sql`update loads set published_at = ${NOW.toISOString()}::timestamptz`)
    const first = await mailOf([camera(3, due)], {}, monday)
    expect(first!.text).toContain('สัปดาห์นี้: ใหม่ 3 · ปิด 2 · คุณยื่น 1')
    const second = await mailOf([camera(4)], {}, new Date('2026-11-23T05:00:00Z'))
    expect(second!.text).not.toContain('สัปดาห์นี้')
    await db.script('delete from pursuits')
  })

  test('lists a project found by three filters once with their names; never hidden or excluded ones', async () => {
    await saveFilter(db, user.id, { id: 'a-1', name: 'กล้องทั้งหมด', address: { project_name__in: 'กล้อง' } })
    await saveFilter(db, user.id, { id: 'b-2', name: 'กรุงเทพ', address: { project_province__in: 'กรุงเทพมหานคร' } })
    await saveFilter(db, user.id, { id: 'c-3', name: 'ซ่อนไว้', address: { project_hidden: 'true' } })
    await saveFilter(db, user.id, { id: 'd-4', name: 'ปิดอยู่', isSend: false, address: {} })
    await db.execute(sql`insert into hidden_projects (user_id, project_id) values (${user.id}::int, ${id(3)})`)
    const mail = await mailOf([camera(1), camera(2, { province: 50 }), camera(3), camera(4, { name: 'เช่ากล้องวงจรปิด' })])
    expect(listProjectIdsUnder(mail!).sort(byText)).toEqual([id(1), id(2)])
    expect(mail!.text).toContain('ตรงกับ กล้องทั้งหมด, กรุงเทพ\n')
    expect(mail!.subject).toBe('ใหม่ 2 – กล้องทั้งหมด และอีก 1 ตัวกรอง')
    expect(mail!.text).toContain('ชื่อโครงการ: มี กล้อง')
    for (const absent of ['ซ่อนไว้', 'ปิดอยู่', 'เช่ากล้อง', id(3)]) expect(mail!.text).not.toContain(absent)
  })

  test('the links for filters and sections open the same rows as the mail', async () => {
    await saveFilter(db, user.id, {
      id: 'cctv-1',
      name: 'เชียงใหม่ถูก',
      address: {
        project_province__in: 'เชียงใหม่||ลำพูน',
        project_budget__range: ',2000000',
        submission_end_date__range: '@0,@7',
      },
    })
    await saveFilter(db, user.id, { id: 'done-2', name: 'ส่งมอบแล้ว', address: { is_archived: 'true' } })
    const due = { province: 50, submissionEndsOn: '2026-11-24' }
    const mail = await mailOf([
      camera(1, { ...due, budget: 100_000_000 }),
      camera(2, { ...due, budget: 900_000_000 }),
      camera(3, { ...due, province: 51 }),
      camera(4, { province: 50, submissionEndsOn: '2026-12-24' }),
      camera(5, { isArchived: true }),
    ])
    expect(listProjectIdsUnder(mail!).sort(byText)).toEqual([id(1), id(3), id(5)])
    expect((await idsAt(findLinkUrl(mail!, 'เปิด 2 โครงการนี้ในรายงาน'))).sort(byText)).toEqual([id(1), id(3)])
    expect(await idsAt(findLinkUrl(mail!, 'เปิด 1 โครงการนี้ในรายงาน'))).toEqual([id(5)])
    const filterLink = findLinkUrl(mail!, 'เปิดทั้งตัวกรอง')
    expect(new URLSearchParams(filterLink.split('?')[1]).get('saved')).toBe('cctv-1')
    expect((await idsAt(filterLink)).sort(byText)).toEqual([id(1), id(3)])
  })

  test('shows at most fifty rows, and links with counts that open all of them', async () => {
    const mail = await mailOf(Array.from({ length: 260 }, (_, i) => camera(i)))
    expect(listProjectIdsUnder(mail!)).toHaveLength(50)
    expect(mail!.subject).toBe('ใหม่ 260 – รายงานทั้งหมด')
    expect(mail!.text).toContain('อีก 210 โครงการไม่ได้แสดงในอีเมลนี้')
    const [firstLink, secondLink] = [1, 2].map((n) => findLinkUrl(mail!, `เปิดทั้ง 260 โครงการในรายงาน ชุดที่ ${n}`))
    const idsOnPages = async (address: string) => [...(await idsAt(address)), ...(await idsAt(`${address}&page=2`))]
    expect(new Set([...(await idsOnPages(firstLink!)), ...(await idsOnPages(secondLink!))]).size).toBe(260)
    // Gmail clips emails above 102 kB.
    expect(Buffer.byteLength(mail!.html)).toBeLessThan(100_000)
  })

  test('resolves personal and relative filter parts for the user and today', async () => {
    await saveFilter(db, user.id, { id: 's-1', name: 'ดาวของฉัน', address: { project_bookmark: 'true' } })
    await db.execute(sql`insert into bookmarks (user_id, project_id) values (${user.id}::int, ${id(2)})`)
    const mail = await mailOf([camera(1), camera(2)])
    expect(listProjectIdsUnder(mail!)).toEqual([id(2)])
  })

  test('offers to unstar a starred project and to star the others', async () => {
    await db.execute(sql`insert into bookmarks (user_id, project_id) values (${user.id}::int, ${id(2)})`)
    const { text } = (await mailOf([camera(1), camera(2)]))!
    const starOf = (n: number) => /[☆★] [^\n:]+/.exec(text.slice(text.indexOf(`/report/${id(n)}`)))?.[0].trim()
    expect([starOf(1), starOf(2)]).toEqual(['☆ ติดดาว', '★ เอาดาวออก'])
  })

  test('asks about projects that still take bids, and offers to hide the others', async () => {
    const { text } = (await mailOf([camera(1), camera(2, { status: 'project_cancelled' })]))!
    const actionsOf = (n: number) => {
      const after = text.slice(text.indexOf(`/report/${id(n)}`))
      return ['เกี่ยว', 'ไม่เกี่ยว', 'เคยเห็นแล้ว', 'ซ่อน'].filter((action) =>
        after.slice(0, after.indexOf('\n\n')).includes(` ${action}: `),
      )
    }
    expect([actionsOf(1), actionsOf(2)]).toEqual([['เกี่ยว', 'ไม่เกี่ยว', 'เคยเห็นแล้ว'], ['ซ่อน']])
  })

  test.each([
    ['a value that is no longer known', '{"filter":{"provinces":{"north":["จังหวัดที่ไม่มี"]}},"search":[]}'],
    ['a field of a newer release', '{"filter":{"ministryOfNextYear":["x"]},"search":[]}'],
  ])('names a saved filter with %s, which never widens the mail', async (_, stored) => {
    await saveFilter(db, user.id, { id: 'g-1', name: 'ดี', address: { project_province__in: 'เชียงใหม่' } })
    await saveFilter(db, user.id, { id: 'o-2', name: 'เก่า', address: { project_province__in: 'ลำพูน' } })
    await db.execute(sql`update saved_filters set filter_data = ${stored}::jsonb where id = 'o-2'`)
    const mail = await mailOf([camera(1, { province: 50 }), camera(2)])
    expect(listProjectIdsUnder(mail!)).toEqual([id(1)])
    expect(mail!.text).toContain('ตัวกรอง “เก่า” มีส่วนที่อ่านไม่ได้แล้ว')
  })

  test('R35: keeps markup, quotes and line ends of a name as text, and the subject on one line', async () => {
    const evil = '<script>alert("1")</script>\'&'
    await saveFilter(db, user.id, {
      id: 'e-1',
      name: `x\r\nBcc: y@evil.example ${evil}`,
      address: { project_name__in: 'กล้อง' },
    })
    const mail = await mailOf([camera(1, { name: `ซื้อกล้อง ${evil}`, dept: evil, unit: evil })])
    expect(mail!.subject).not.toMatch(/[\r\n]/)
    expect(mail!.html).not.toContain('<script>')
    expect(mail!.text).toContain(`• ซื้อกล้อง ${evil}`)
  })

  test('merges waiting loads into one change per field from first to last value; omits reverted changes', async () => {
    await publish(db, [camera(1), camera(2)], { now: NOW })
    await db.script('delete from report_mails; delete from jobs')
    await publish(db, [camera(1), camera(2)], {
      now: NOW,
      changes: { [id(1)]: [['budget', '1000000', '2000000']], [id(2)]: [['method', 'e_bidding', 'selective']] },
    })
    const mail = await mailOf([camera(1), camera(2)], {
      [id(1)]: [['budget', '2000000', '3000000']],
      [id(2)]: [['method', 'selective', 'e_bidding']],
    })
    expect(mail!.text).toContain('งบประมาณ: 1,000,000.00 → 3,000,000.00')
    expect(mail!.text).not.toContain('วิธีจัดหา')
    expect(await listReportMails(db)).toHaveLength(1)
  })

  test('the preview renders the current mail without sending it; its page opens briefly without a session', async () => {
    const requestPreview = (headers: Record<string, string>) =>
      app.inject({ url: '/api/v2/users/me/report-mail-preview', headers })
    await publish(db, [camera(1)], { now: NOW })
    await db.script(`delete from mails; delete from jobs where kind = 'mail'`)
    const answer = await requestPreview(session.headers)
    expect(answer.json()).toMatchObject({ subject: 'ใหม่ 1 – รายงานทั้งหมด' })
    const { address } = answer.json() as { address: string }
    const page = await app.inject({ url: address })
    expect([page.statusCode, page.headers['content-type'], page.headers['x-frame-options']]).toEqual([
      200,
      'text/html; charset=utf-8',
      'SAMEORIGIN',
    ])
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'.*frame-ancestors 'self'; sandbox/)
    expect(page.body).toContain(id(1))
    expect(await listReportMails(db)).toEqual([])
    const late = await appOn(db, { now: () => new Date(NOW.getTime() + 11 * 60_000) })
    for (const gone of [address, `${address}x`]) expect((await late.inject({ url: gone })).statusCode).toBe(404)
    await late.close()
    expect((await requestPreview((await enterDemo(app)).headers)).statusCode).toBe(403)
    await db.execute(sql`delete from project_matches`)
    expect((await requestPreview(session.headers)).json()).toEqual({ subject: null, address: null })
  })
})
