import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { TEST_SECRET } from '../../../test/server/http-app.ts'
import { addOrganisation } from '../../../test/world/report-world.ts'
import type { AdminRequest } from './admin-requests.ts'
import { COMMAND_LINE_ACTOR } from './record-admin-event.ts'
import { runAdminRequest } from './run-admin-request.ts'

onEachEngineInTurn('runAdmin for keywords', (makeDb) => {
  let db: OpenDb
  let run: (request: AdminRequest) => ReturnType<typeof runAdminRequest>

  beforeAll(async () => {
    db = await makeDb()
    const mails = createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => 'https://tamngan.example' })
    run = (request) => runAdminRequest({ db, mails, by: COMMAND_LINE_ACTOR }, request)
    await addOrganisation(db, { code: 'x', words: { include: ['กล้อง', '?ถนน', '?โดรน'] } })
  })
  beforeEach(() => db.script('delete from audit_events; delete from jobs'))

  const trail = () =>
    db.query(sql`select kind, organisation_id is null as global, detail from audit_events order by id`)
  const idOf = async (word: string) => {
    const [row] = await db.query<{ id: number }>(sql`select id from keywords where word = ${word}`)
    return row!.id
  }
  const scopes = () => db.query(sql`select payload as scope from jobs where kind = 'match' order by id`)

  test('lists waiting keywords and approves one, which is then matched', async () => {
    const waiting = await run({ do: 'waiting' })
    expect(waiting).toMatchObject({
      waiting: [
        { organisation: 'x', list: 'include', word: 'ถนน', addedBy: null },
        { organisation: 'x', list: 'include', word: 'โดรน' },
      ],
    })
    const id = await idOf('ถนน')
    expect(await run({ do: 'keyword-impact', id })).toMatchObject({
      impact: { days: 30, before: 0, added: 0, samples: [] },
    })
    await expect(run({ do: 'keyword-impact', id: await idOf('กล้อง') })).rejects.toThrow('is waiting')
    expect(await run({ do: 'judge-keyword', id, approve: true })).toEqual({ done: 'x: ถนน is approved and will match' })
    expect(await scopes()).toEqual([{ scope: { expressions: ['ถนน'] } }])
    expect(await run({ do: 'waiting' })).toMatchObject({ waiting: [{ word: 'โดรน' }] })
    expect(await trail()).toEqual([
      { kind: 'changed_by_admin', global: false, detail: { did: 'approve-keyword', id, list: 'include', word: 'ถนน' } },
    ])
    await expect(run({ do: 'judge-keyword', id, approve: false })).rejects.toThrow('is waiting')
  })

  test('rejects a keyword, which is deleted without rematching', async () => {
    const id = await idOf('โดรน')
    await run({ do: 'judge-keyword', id, approve: false })
    expect(await db.query(sql`select word from keywords order by id`)).toEqual([{ word: 'กล้อง' }, { word: 'ถนน' }])
    expect(await scopes()).toEqual([])
    await expect(run({ do: 'judge-keyword', id, approve: true })).rejects.toThrow(`no keyword ${id} is waiting`)
    await expect(run({ do: 'judge-keyword', id: await idOf('กล้อง'), approve: false })).rejects.toThrow('is waiting')
  })

  test('reads and changes the blacklist in any spelling', async () => {
    const words = async () => {
      const answer = await run({ do: 'blacklist' })
      return 'blacklist' in answer ? answer.blacklist.map(({ word }) => word) : []
    }
    expect(await words()).toContain('จ้าง')
    await run({ do: 'change-blacklist', word: ' พร้อม ติดตั้ง ', add: true })
    expect(await words()).toContain('พร้อม ติดตั้ง')
    await expect(run({ do: 'change-blacklist', word: 'พร้อมติดตั้ง', add: true })).rejects.toThrow('already')
    await run({ do: 'change-blacklist', word: 'พร้อมติดตั้ง', add: false })
    expect(await words()).not.toContain('พร้อม ติดตั้ง')
    await expect(run({ do: 'change-blacklist', word: 'พร้อมติดตั้ง', add: false })).rejects.toThrow('not on the blacklist')
    await expect(run({ do: 'change-blacklist', word: '  ', add: true })).rejects.toThrow('empty')
    expect(await trail()).toEqual([
      { kind: 'changed_by_admin', global: true, detail: { did: 'add-to-blacklist', word: 'พร้อม ติดตั้ง' } },
      { kind: 'changed_by_admin', global: true, detail: { did: 'remove-from-blacklist', word: 'พร้อมติดตั้ง' } },
    ])
  })

  test('sets and removes the hours in which lists are locked', async () => {
    const hours = async () => {
      const [row] = await db.query<{ start: string; end: string; name: boolean }>(sql`
        select customer_config->>'not_allow_start_time' as start, customer_config->>'not_allow_end_time' as end,
          (customer_config->>'search_by_name')::boolean as name from organisations where code = 'x'`)
      return row
    }
    await run({ do: 'set-window', organisation: 'x', window: { start: '22:30', end: '05:15' } })
    expect(await hours()).toEqual({ start: '22:30:00', end: '05:15:00', name: true })
    await run({ do: 'set-window', organisation: 'x', window: undefined })
    expect(await hours()).toEqual({ start: '00:00:00', end: '00:00:00', name: true })
    await expect(run({ do: 'set-window', organisation: 'nope', window: undefined })).rejects.toThrow('no organisation')
  })

  test('requests a full rematch', async () => {
    await run({ do: 'rematch', organisation: 'x' })
    expect(await scopes()).toEqual([{ scope: { all: true } }])
    expect(await trail()).toMatchObject([{ detail: { did: 'rematch' } }])
    await expect(run({ do: 'rematch', organisation: 'nope' })).rejects.toThrow('no organisation')
  })
})
