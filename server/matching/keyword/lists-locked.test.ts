import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { appOn, enterDemo, type SignedIn, signIn } from '../../../test/server/http-app.ts'
import { type KeywordWorld, MORNING, makeKeywordWorld } from '../../../test/world/keyword-world.ts'

onEachEngineInTurn('lists that may not be changed', (makeDb) => {
  let db: OpenDb
  let world: KeywordWorld
  let aiKeyword: number

  beforeAll(async () => {
    db = await makeDb()
    world = await makeKeywordWorld(db)
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    world.clock.now = MORNING
    await world.clear()
    await setWindow('01:00:00', '09:00:00')
    const user = await signIn(world.app, 'manager@tharamek.example')
    const start = await world.changed(user, 'POST', '', {
      include_keywords: [{ word: 'กล้อง' }],
      ai_include_keywords: [{ word: 'โดรน' }],
    })
    aiKeyword = start.ai_include[0]!.id
    await db.script('delete from jobs; delete from audit_events')
  })

  const setWindow = (start: string, end: string) =>
    db.execute(sql`
      update organisations set customer_config = customer_config
        || ${JSON.stringify({ not_allow_start_time: start, not_allow_end_time: end })}::jsonb where code = 'tharamek'`)

  /** Every call that changes lists, with a body that has an effect. */
  const changes = () =>
    [
      ['POST', '', { include_keywords: [{ word: 'จอภาพ' }] }],
      ['PATCH', '', { search_by_deptsub: false }],
      ['DELETE', '', { include_keywords: [{ word: 'กล้อง' }] }],
      ['POST', '/keywords/remove', { include_keywords: [{ word: 'กล้อง' }] }],
      ['POST', '/keywords/restore', { ids: [1] }],
      ['PATCH', `/keywords/${aiKeyword}/terms`, { add: ['อากาศยานไร้คนขับ'] }],
    ] as const
  const reads = () =>
    [
      ['GET', '', undefined],
      ['GET', '/keyword-terms', undefined],
      ['POST', '/keywords/check', { include_keywords: [{ word: 'จอภาพ' }] }],
      ['POST', '/keywords/expand', { word: 'โดรน' }],
    ] as const

  const at = async (utc: string): Promise<SignedIn> => {
    world.clock.now = new Date(utc)
    return signIn(world.app, 'sales@tharamek.example')
  }
  const adding = async (utc: string) => {
    const { status, body } = await world.send(await at(utc), 'POST', '', { exclude_keywords: [{ word: `คำ ${utc}` }] })
    return status === 200 ? 200 : [status, (body.non_field_errors as string[])[0]]
  }

  test.each([
    ['2026-11-20T17:59:59Z', 'a second before one in the morning in Bangkok', 200],
    ['2026-11-20T18:00:00Z', 'one in the morning', 403],
    ['2026-11-21T01:59:59Z', 'a second before nine', 403],
    ['2026-11-21T02:00:00Z', 'nine', 200],
  ])('at %s, %s, the answer is %i', async (utc, _, expected) => {
    const answer = await adding(utc)
    expect(answer).toEqual(expected === 200 ? 200 : [403, expect.stringContaining('ตั้งแต่ 09:00 น.')])
  })

  test('C12: the window refuses every change with code and text and stores nothing; reading works', async () => {
    const user = await at('2026-11-20T20:00:00Z')
    const before = await world.organisation(user)
    for (const [method, path, body] of changes()) {
      expect([method, path, await world.send(user, method, path, body)]).toEqual([
        method,
        path,
        {
          status: 403,
          body: {
            code: 'lists_locked',
            error: 'ระบบกำลังจับคู่โครงการรอบกลางคืน แก้ไขรายการติดตามได้อีกครั้งตั้งแต่ 09:00 น.',
            non_field_errors: ['ระบบกำลังจับคู่โครงการรอบกลางคืน แก้ไขรายการติดตามได้อีกครั้งตั้งแต่ 09:00 น.'],
          },
        },
      ])
    }
    expect(await world.organisation(user)).toEqual(before)
    expect([await world.scopes(), await db.query(sql`select from audit_events where kind = 'lists_changed'`)]).toEqual([
      [],
      [],
    ])
    for (const [method, path, body] of reads())
      expect([path, (await world.send(user, method, path, body)).status]).toEqual([path, 200])
  })

  test('supports windows across midnight and on half hours; equal times switch it off', async () => {
    await setWindow('22:30:00', '05:15:00')
    expect(await adding('2026-11-21T15:29:59Z')).toBe(200)
    expect(await adding('2026-11-21T15:30:00Z')).toEqual([403, expect.stringContaining('05:15 น.')])
    expect(await adding('2026-11-21T17:00:00Z')).toEqual([403, expect.stringContaining('05:15 น.')])
    expect(await adding('2026-11-21T22:14:59Z')).toEqual([403, expect.stringContaining('05:15 น.')])
    expect(await adding('2026-11-21T22:15:00Z')).toBe(200)
    await setWindow('03:00:00', '03:00:00')
    for (const utc of ['2026-11-20T19:59:59Z', '2026-11-20T20:00:00Z', '2026-11-20T20:00:01Z'])
      expect(await adding(utc)).toBe(200)
  })

  describe('on a server in another time zone', () => {
    const zone = process.env.TZ
    afterEach(() => {
      process.env.TZ = zone
      if (zone === undefined) delete process.env.TZ
    })
    test.each(['America/Los_Angeles', 'Pacific/Kiritimati'])('%s uses Bangkok hours', async (timeZone) => {
      process.env.TZ = timeZone
      expect(new Date(0).getTimezoneOffset()).not.toBe(-420)
      expect(await adding('2026-11-20T17:59:59Z')).toBe(200)
      expect(await adding('2026-11-20T18:00:00Z')).toEqual([403, expect.stringContaining('09:00 น.')])
      expect(await adding('2026-11-21T02:00:00Z')).toBe(200)
    })
  })

  test('does not lock an organisation during set-up; its window starts when set-up ends', async () => {
    await db.execute(sql`update organisations set is_watchlist_completed = false where code = 'tharamek'`)
    const user = await at('2026-11-20T20:00:00Z')
    const done = { include_keywords: [], update_register_status: { is_watchlist_completed: true } }
    await world.changed(user, 'POST', '', { include_keywords: [{ word: 'จอภาพ' }] })
    expect((await world.changed(user, 'PATCH', '', done)).register_status.is_watchlist_completed).toBe(true)
    expect((await world.send(user, 'PATCH', '', { search_by_ai: true })).status).toBe(403)
  })

  test('R42: changes have their own rate limit per route; reading is unaffected', async () => {
    const limits = { perUser: 1_000, report: 1_000, patch: 2, login: 1_000 }
    const app = await appOn(db, { settings: { limits }, now: () => MORNING })
    const { headers } = await signIn(app, 'manager@tharamek.example')
    const url = '/api/v2/organisations/me'
    const statuses = async (method: 'GET' | 'POST' | 'PATCH', path = '', payload?: object) => {
      const answers: number[] = []
      for (let turn = 0; turn < 3; turn += 1)
        answers.push(
          (await app.inject({ method, url: url + path, headers, ...(payload ? { payload } : {}) })).statusCode,
        )
      return answers
    }
    expect(await statuses('PATCH', '', {})).toEqual([200, 200, 429])
    expect(await statuses('POST', '', {})).toEqual([200, 200, 429])
    expect(await statuses('POST', '/keywords/expand', { word: 'โดรน' })).toEqual([200, 200, 429])
    expect(await statuses('POST', '/keywords/check', {})).toEqual([200, 200, 200])
    expect(await statuses('GET')).toEqual([200, 200, 200])
    await app.close()
  })

  test('a demo visitor can preview everything but save nothing to the shared lists', async () => {
    const visitor = await enterDemo(world.app)
    const before = await world.organisation(visitor)
    const listChanges = [
      ['DELETE', '', { include_keywords: [{ id: before.include[0]!.id }] }],
      ['PATCH', '', { include_keywords: [{ id: before.include[0]!.id, word: 'x' }] }],
    ] as const
    for (const [method, path, body] of [...changes(), ...listChanges]) {
      expect([path, await world.send(visitor, method, path, body)]).toEqual([
        path,
        {
          status: 403,
          body: {
            code: 'demo_read_only',
            error: API_PROBLEM_TEXTS.demo_read_only,
            non_field_errors: [API_PROBLEM_TEXTS.demo_read_only],
          },
        },
      ])
    }
    expect(await world.organisation(visitor)).toEqual(before)
    for (const [method, path, body] of reads())
      expect([path, (await world.send(visitor, method, path, body)).status]).toEqual([path, 200])
  })
})
