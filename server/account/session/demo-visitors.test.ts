import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createNextDemoDataLoadStep } from '#sample/sample-days.ts'
import { runDueNightlyLoad } from '#server/jobs/load/nightly-load.ts'
import { listOrganisations, listUsers } from '#server/operation/admin/queries.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { decodeClaims, enterDemo, signIn } from '../../../test/server/http-app.ts'
import { makeUserWorld, projectId, type UserWorld } from '../../../test/world/user-world.ts'
import { MAX_DEMO_VISITORS } from './demo-visitor-queries.ts'

const [P1, P2] = [projectId(1), projectId(2)]
const DEMO = 'demo@demo.example'
const MINUTE_MS = 60_000

onEachEngineInTurn('C6: visitors of the demo', (makeDb) => {
  let db: OpenDb
  let world: UserWorld
  let demoId: number
  let clock = new Date('2026-11-21T03:00:00Z')

  const later = (minutes: number) => {
    clock = new Date(clock.getTime() + minutes * MINUTE_MS)
  }
  const visitors = async () =>
    (await db.query<{ id: number }>(sql`select id from users where is_demo_visitor order by id`)).map(({ id }) => id)
  const idOf = ({ access }: { access: string }) => Number(decodeClaims(access).sub)

  beforeAll(async () => {
    db = await makeDb()
    world = await makeUserWorld(db, { now: () => clock })
    const [demo] = await db.query<{ id: number }>(sql`
      update users set is_send_report_email = true, customize_report_table = '[{"id":"name","field":"name","title":"x","showHideColumn":true,"currentPosition":0,"defaultPosition":1}]'
      where email_key = ${DEMO} returning id`)
    demoId = demo!.id
    await db.execute(sql`insert into bookmarks (user_id, project_id) values (${demoId}, ${P1})`)
    await db.execute(sql`insert into hidden_projects (user_id, project_id) values (${demoId}, ${P2})`)
    await db.execute(sql`insert into labels (user_id, id, name, color) values (${demoId}, 'l', 'ตัวอย่าง', 'sky')`)
    await db.execute(sql`insert into label_assignments (user_id, project_id, label_id) values (${demoId}, ${P1}, 'l')`)
    await db.execute(sql`
      insert into saved_filters (user_id, id, name, filter_data, is_send) values (${demoId}, 'f', 'ตัวอย่าง', '{"filter":{},"search":[]}', true)`)
  })
  afterAll(() => world.app.close())
  beforeEach(() => db.execute(sql`delete from users where is_demo_visitor`))

  test('each gets their own user with the demo marks and settings, but no mail', async () => {
    const visitor = await enterDemo(world.app)
    expect(idOf(visitor)).not.toBe(demoId)
    const me = await world.me(visitor)
    expect(me).toMatchObject({
      email: DEMO,
      first_name: 'ผู้ใช้',
      is_send_report_email: false,
      project_bookmark: [P1],
      project_hidden: [P2],
      project_labels: [{ id: 'l', name: 'ตัวอย่าง', color: 'sky' }],
      project_label_assignments: { [P1]: ['l'] },
      project_save_filter_profile: [{ id: 'f', isSend: false }],
    })
    expect(me.customize_report_table).toHaveLength(1)
    const organisation = await world.app.inject({ url: '/api/v2/organisations/me', headers: visitor.headers })
    expect(organisation.json().code).toBe('demo')
  })

  test('marks of a visitor are invisible to other visitors, and the demo user keeps its own', async () => {
    const demoMarks = () =>
      db.query(sql`
      select (select count(*) from bookmarks where user_id = ${demoId}) as stars, (select string_agg(name, ',') from labels where user_id = ${demoId}) as labels`)
    const before = await demoMarks()
    const [first, second] = [await enterDemo(world.app), await enterDemo(world.app)]
    await world.patched(first, {
      bookmark_action: { action: 'add', project_id: P2 },
      label_action: { action: 'rename_label', label_id: 'l', label_name: '<script>' },
    })
    await world.patched(first, { filter_action: { action: 'remove', filter_id: 'f' } })
    const third = await enterDemo(world.app)
    for (const visitor of [second, third]) {
      expect(await world.me(visitor)).toMatchObject({
        project_bookmark: [P1],
        project_labels: [{ id: 'l', name: 'ตัวอย่าง' }],
        project_save_filter_profile: [{ id: 'f' }],
      })
    }
    expect(await demoMarks()).toEqual(before)
    expect(await db.query(sql`select from sessions where user_id = ${demoId}`)).toEqual([])
  })

  test('cannot log in with a password, and do not appear in user lists', async () => {
    await enterDemo(world.app)
    const [visitor] = await db.query<{ key: string }>(sql`select email_key as key from users where is_demo_visitor`)
    for (const email of [visitor!.key, `${visitor!.key}@demo.example`, DEMO])
      await expect(signIn(world.app, email, 'none')).rejects.toThrow('400')
    expect((await listUsers(db, 'demo')).map(({ email }) => email)).toEqual([DEMO])
    expect((await listOrganisations(db)).find(({ code }) => code === 'demo')!.users).toBe(1)
  })

  test('are deleted when their session ends or expires, and stay while it is active', async () => {
    const left = await enterDemo(world.app)
    const stays = await enterDemo(world.app)
    await world.app.inject({ method: 'POST', url: '/api/v2/auth/logout/', headers: left.headers, payload: {} })
    later(2)
    await enterDemo(world.app)
    const alive = await visitors()
    expect(alive).toContain(idOf(stays))
    expect(alive).not.toContain(idOf(left))
    expect((await world.me(stays)).project_bookmark).toEqual([P1])
    later(31)
    const last = await enterDemo(world.app)
    expect(await visitors()).toEqual([idOf(last)])
    expect(await db.query(sql`select from bookmarks where user_id = ${idOf(stays)}`)).toEqual([])
    const answer = await world.app.inject({ url: '/api/v2/users/me', headers: stays.headers })
    expect([answer.statusCode, answer.json()]).toEqual([401, { code: 'session_invalid' }])
  })

  test('parallel entries and cleanups neither fail nor delete a new visitor', async () => {
    await Promise.all(Array.from({ length: 10 }, () => enterDemo(world.app)))
    later(31)
    const fresh = await Promise.all(Array.from({ length: 10 }, () => enterDemo(world.app)))
    for (const visitor of fresh) expect((await world.me(visitor)).project_bookmark).toEqual([P1])
    expect(await visitors()).toHaveLength(10)
  })

  test('are limited to two thousand, and the nightly load deletes the expired ones', async () => {
    await db.execute(sql`
      insert into users (organisation_id, email, email_key, password_hash, is_demo_visitor, created_at)
      select organisation_id, email, 'VISITOR ' || n, 'none', true, ${clock.toISOString()}::timestamptz
      from users, generate_series(1, ${MAX_DEMO_VISITORS}::int) n where id = ${demoId}`)
    await expect(enterDemo(world.app)).rejects.toThrow('503')
    later(24 * 60)
    await runDueNightlyLoad(db, { now: () => clock, nextDemoStep: createNextDemoDataLoadStep })
    expect(await visitors()).toEqual([])
    await enterDemo(world.app)
    expect(await db.query(sql`select from users where id = ${demoId}`)).toHaveLength(1)
  })
})
