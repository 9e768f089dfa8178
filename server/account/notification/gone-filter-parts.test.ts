import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { decodeClaims, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import {
  buildDueReportMails,
  emptyReportTables,
  listReportMails,
  publish,
  saveFilter,
} from '../../../test/world/report-mail-world.ts'
import { makeUserWorld, projectId, type UserWorld } from '../../../test/world/user-world.ts'

const NOW = new Date('2026-11-21T03:00:00Z')

onEachEngineInTurn('saved filters whose label, stage or colleague is gone', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let boss: SignedIn
  let seller: SignedIn
  let organisation: number
  let bossId: number
  let sellerId: number

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db, { projects: 1, now: () => NOW })
    boss = await signIn(world.app, 'manager@tharamek.example')
    seller = await signIn(world.app, 'sales@tharamek.example')
    ;[bossId, sellerId] = [boss, seller].map(({ access }) => Number(decodeClaims(access).sub)) as [number, number]
    const [row] = await db.query<{ id: number }>(sql`select organisation_id as id from users where id = ${bossId}::int`)
    organisation = row!.id
    await db.execute(sql`update users set is_send_report_email = id = ${bossId}::int`)
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    await emptyReportTables(db, 'saved_filters', 'notifications', 'labels', 'team_labels')
    await db.execute(sql`update users set is_disabled = false where id = ${sellerId}::int`)
  })

  const save = (user: number, address: Record<string, string>, name = 'ของฉัน', id = 'mine') =>
    saveFilter(db, user, { id, name, isSend: true, address })
  const notices = async (user = boss) =>
    (await world.me(user)).notification_updated_status.notifications
      .filter(({ type }) => type === 'Filter_part_gone')
      .map(({ detail, filter }) => `${filter?.name}: ${detail}`)
  const settings = (stages: readonly object[]) =>
    world.app.inject({ method: 'PATCH', url: '/api/v2/pursuits/settings', headers: boss.headers, payload: { stages } })

  describe('notify their owner once, by name, when', () => {
    test('the user deletes their label', async () => {
      await world.patched(boss, {
        label_action: { action: 'create_label', label_id: 'a', label_name: 'ด่วน', label_color: 'sky' },
      })
      await save(bossId, { project_label__in: 'a' })
      await save(sellerId, { project_label__in: 'a' })
      await world.patched(boss, { label_action: { action: 'delete_label', label_id: 'a' } })
      expect(await notices()).toEqual(['ของฉัน: ป้ายกำกับ “ด่วน” ถูกลบแล้ว'])
      // Label ids are unique per user only.
      expect(await notices(seller)).toEqual([])
    })

    test('a label of the team is deleted', async () => {
      await db.execute(sql`insert into team_labels (organisation_id, id, name, color, created_by, created_at)
        values (${organisation}::int, 't', 'รอแบบ', 'sky', ${sellerId}::int, now())`)
      await save(bossId, { team_label__in: 't' })
      const action = { action: 'delete_label', label_id: 't' }
      const url = '/api/v2/team-labels'
      const answer = await world.app.inject({ method: 'PATCH', url, headers: seller.headers, payload: { action } })
      expect(answer.statusCode, answer.body).toBe(200)
      expect(await notices()).toEqual(['ของฉัน: ป้ายทีม “รอแบบ” ถูกลบแล้ว'])
    })

    test('a stage leaves the board', async () => {
      await save(bossId, { pursuit_stage__in: 'pricing' })
      await save(sellerId, { pursuit_stage__in: 'screened' })
      const before = await world.app.inject({ url: '/api/v2/pursuits/settings', headers: boss.headers })
      const stages = before.json().stages.filter(({ id }: { id: string }) => id !== 'pricing')
      expect((await settings(stages)).statusCode).toBe(200)
      expect([await notices(), await notices(seller)]).toEqual([['ของฉัน: ขั้น “รอราคา” ไม่มีบนบอร์ดแล้ว'], []])
      expect((await settings(before.json().stages)).statusCode).toBe(200)
    })

    test('a colleague leaves the team', async () => {
      await save(bossId, { pursuit_owner__in: String(sellerId) })
      const url = `/api/v2/organisations/me/members/${sellerId}`
      const payload = { is_disabled: true }
      const answer = await world.app.inject({ method: 'PATCH', url, headers: boss.headers, payload })
      if (answer.statusCode >= 300)
        await db.execute(sql`update users set is_disabled = true where id = ${sellerId}::int`)
      expect(await notices()).toEqual([expect.stringMatching(/^ของฉัน: “.+” ไม่ได้อยู่ในทีมแล้ว$/)])
      const [me] = await db.query<{ name: string }>(
        sql`select concat_ws(' ', first_name, last_name) as name from users where id = ${sellerId}::int`,
      )
      expect((await notices())[0]).toContain(me!.name)
    })
  })

  test('ignore a filter that excludes the missing part or uses another one', async () => {
    await db.execute(
      sql`insert into labels (user_id, id, name, color) values (${bossId}::int, 'a', 'ก', '#000000'), (${bossId}::int, 'b', 'ข', '#000000')`,
    )
    await save(bossId, { project_label__in: '<<a' }, 'ไม่ใช่', 'not')
    await save(bossId, { project_label__in: 'b' }, 'อื่น', 'other')
    await save(bossId, { project_search__in: 'a' }, 'คำ', 'word')
    await db.execute(sql`delete from labels where id = 'a'`)
    expect(await notices()).toEqual([])
  })

  test('send nothing when an account is deleted with its labels', async () => {
    await db.execute(
      sql`insert into users (organisation_id, email, email_key, password_hash) values (${organisation}::int, 'x@a.example', 'x@a.example', '-')`,
    )
    await db.execute(
      sql`insert into labels (user_id, id, name, color) select id, 'x', 'ก', '#000000' from users where email = 'x@a.example'`,
    )
    await db.execute(sql`delete from users where email = 'x@a.example'`)
    expect(await notices()).toEqual([])
  })

  test('appear once in the report mail, even without other content', async () => {
    await db.execute(sql`insert into labels (user_id, id, name, color) values (${bossId}::int, 'a', 'ด่วน', '#000000')`)
    await save(bossId, { project_label__in: 'a' })
    await publish(db, [{ id: projectId(5) }], { now: NOW })
    await buildDueReportMails(db, NOW)
    expect(await listReportMails(db)).toEqual([])
    await db.execute(sql`delete from labels`)
    const mails = async (day: number) => {
      const now = new Date(NOW.getTime() + day * 86_400_000)
      await publish(db, [{ id: projectId(5 + day) }], { now })
      await buildDueReportMails(db, now)
      return listReportMails(db)
    }
    const [mail] = await mails(1)
    expect(mail!.subject).toBe('ตัวกรองที่ส่งทางอีเมลอ้างถึงสิ่งที่ไม่มีแล้ว')
    expect(mail!.text).toContain('ตัวกรอง “ของฉัน”: ป้ายกำกับ “ด่วน” ถูกลบแล้ว')
    expect(await mails(2)).toHaveLength(1)
  })
})
