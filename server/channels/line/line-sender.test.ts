import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { ChannelPreferences } from '#contract/channels/channel.ts'
import { scheduleMorningSummaries } from '#server/channels/channel/delivery-hours.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { jobsOf } from '../../../test/jobs.ts'
import { type LinePerson, LineServer } from '../../../test/line/line-server.ts'
import {
  createTestLineDependencies,
  getPostbackData,
  joinMessageTexts,
  LineChat,
  listActions,
  loadMarks,
} from '../../../test/line/line-world.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn } from '../../../test/server/http-app.ts'
import { queuedMails } from '../../../test/server/mails.ts'
import {
  connectTestChannel as connectChannel,
  listChannelMessages,
  sendDueMessages,
} from '../../../test/world/channel-world.ts'
import { loadAndNotify, starProjects } from '../../../test/world/notification-world.ts'
import { saveFilter } from '../../../test/world/report-mail-world.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'
import { isLineQuotaExhausted, loadLineAccountStatus } from './line-account-queries.ts'
import { createLineSender } from './line-sender.ts'
import { refreshLineAccountStatus } from './refresh-line-account-status.ts'

const NIGHT = new Date('2026-11-20T04:00:00+07:00')
const MORNING = new Date('2026-11-20T07:30:00+07:00')
const NOON = new Date('2026-11-20T12:00:00+07:00')
const later = (minutes: number, from = NOON) => new Date(from.getTime() + minutes * 60_000)
const camera = (n: number, more: object = {}) => ({
  ...{ id: `6911900000${n}`, name: `ซื้อกล้องวงจรปิด ชุดที่ ${n}`, movementOn: '2026-11-20', budget: 936_000_000 },
  ...more,
})

onEachEngineInTurn('LINE as a channel', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let line: LineServer
  let chat: LineChat
  let somchai: LinePerson
  let organisationId: number
  let userId: number
  let now = NIGHT
  const owner = () => ({ userId, organisationId })
  const states = async () => (await listChannelMessages(db)).map(({ kind, state }) => `${kind} ${state}`)
  const wish = (more: Partial<ChannelPreferences>) => connectChannel(db, owner(), 'line', more)
  const send = (at: Date, timeoutMs?: number) =>
    sendDueMessages(db, [createLineSender(createTestLineDependencies(line, timeoutMs))], at)
  const morning = (...projects: object[]) =>
    loadAndNotify(db, projects, { at: NIGHT }).then(async (load) => {
      await db.execute(
        sql`update loads set published_at = ${NIGHT.toISOString()}::timestamptz where id = ${load}::bigint`,
      )
      await db.transaction((tx) => scheduleMorningSummaries(tx, NIGHT))
    })

  beforeAll(async () => {
    db = await makeDb()
    line = new LineServer()
    await line.start()
    app = await appOn(db, { settings: { line: line.settings() }, now: () => now })
  })
  afterAll(async () => {
    await app.close()
    await line.stop()
  })
  beforeEach(async () => {
    await emptyTables(
      db,
      ...['organisations', 'projects', 'loads', 'jobs', 'mails', 'notifications'],
      ...['line_events', 'line_presses', 'line_channel'],
    )
    Object.assign(line, { mood: 'well', pushMood: undefined, quota: undefined, used: 0 })
    for (const list of [line.refused, line.delivered, line.replies]) list.length = 0
    now = NIGHT
    chat = new LineChat(app, db, line, now)
    somchai = line.person('สมชาย')
    organisationId = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    userId = await addUser(db, organisationId)
    await chat.connect(owner(), somchai)
  })

  test('sends the morning card at 07:30 with deadlines first; the user triages in the chat', async () => {
    await morning(
      camera(1),
      camera(2, { submissionEndsOn: '2026-11-21' }),
      camera(3, { submissionEndsOn: '2026-12-09' }),
      camera(4),
    )
    expect(await send(new Date('2026-11-20T07:29:00+07:00'))).toBe(0)
    await send(MORNING)
    expect(line.delivered.map(({ to }) => to)).toEqual([somchai.id])
    const [card] = line.delivered[0]!.messages
    expect(joinMessageTexts([card!])).toMatch(
      /^สรุปเช้า ศุกร์ 20 พ\.ย\. 2569 \| ใหม่ 4 · ใกล้ปิด 1 \| ใกล้ปิด \| เหลือ 1 วัน \| ซื้อกล้องวงจรปิด ชุดที่ 2/,
    )
    expect(joinMessageTexts([card!])).toContain('ไล่ดูทั้งหมด')
    expect(listActions([card!]).filter(({ label }) => label === 'ติดดาว')).toHaveLength(3)
    chat.now = later(5, MORNING)
    now = chat.now
    await chat.presses(somchai, getPostbackData([card!], 'ติดดาว'))
    expect(await loadMarks(db, userId)).toEqual({ stars: ['69119000002'], hidden: [], decided: ['69119000002'] })
    expect(await send(later(600, MORNING))).toBe(0)
    expect(line.refused).toEqual([])
  })

  test('the morning card contains what the chosen saved filters find', async () => {
    await saveFilter(db, userId, { id: 'f1', name: 'ชุดที่ 3', address: { project_name__in: 'ชุดที่ 3' } })
    await wish({ filters: ['f1'] })
    await morning(camera(1), camera(3))
    await send(MORNING)
    expect(joinMessageTexts(line.delivered[0]!.messages as never)).toContain('ใหม่ 1 | ใหม่ |')
    expect(joinMessageTexts(line.delivered[0]!.messages as never)).not.toContain('ชุดที่ 1')
  })

  test('sends a moved deadline of a starred project at once, or when quiet hours end', async () => {
    await loadAndNotify(db, [camera(1, { submissionEndsOn: '2026-12-24' })], { at: NOON })
    await starProjects(db, userId, '69119000001')
    const moved = { changes: { submission_end_date: '2026-12-28' } }
    await loadAndNotify(db, [camera(1, { submissionEndsOn: '2026-12-28' })], { at: NOON, ...moved })
    await send(NOON)
    expect(joinMessageTexts([line.delivered[0]!.messages[0]!])).toContain('→ 28 ธ.ค. 2569')
    expect(joinMessageTexts([line.delivered[0]!.messages[0]!])).toContain('★ ติดดาวแล้ว')
    const evening = new Date('2026-11-20T21:00:00+07:00')
    await loadAndNotify(db, [camera(1, { submissionEndsOn: '2026-12-29' })], { at: evening, ...moved })
    await send(evening)
    expect(line.delivered).toHaveLength(1)
    await send(new Date('2026-11-21T07:00:00+07:00'))
    expect(line.delivered).toHaveLength(2)
  })

  test('R77: resends a push with a lost response under the same key, and LINE shows it once', async () => {
    await morning(camera(1))
    line.pushMood = 'loses'
    await send(MORNING)
    expect(line.delivered).toHaveLength(1)
    expect(await states()).toEqual(['Morning waiting'])
    line.pushMood = undefined
    await send(later(1, MORNING))
    expect(line.delivered).toHaveLength(1)
    expect(line.refused.map(({ status }) => status)).toEqual([409])
    expect(await states()).toEqual(['Morning sent'])
  })

  test.each(['hangs', 'garbled', 'redirects', 'endless', { status: 500 }, { status: 503 }, { status: 401 }] as const)(
    'with LINE in state %o the message waits without blocking and is sent later',
    async (mood) => {
      await morning(camera(1))
      line.pushMood = mood
      await send(MORNING, 200)
      const isTaken = mood === 'garbled'
      expect(await states()).toEqual([`Morning ${isTaken ? 'sent' : 'waiting'}`])
      line.pushMood = undefined
      await send(later(60, MORNING))
      expect(line.delivered).toHaveLength(1)
      expect(await states()).toEqual(['Morning sent'])
      expect(JSON.stringify(await jobsOf(db, 'channel'))).not.toContain(somchai.id)
    },
  )

  test('a rate limit waits a minute without counting as a failure; a permanent error fails the message', async () => {
    await morning(camera(1))
    line.pushMood = { status: 429, body: 'The API rate limit has been exceeded. Try again later.' }
    await send(MORNING)
    expect(await states()).toEqual(['Morning waiting'])
    line.pushMood = { status: 400 }
    await send(later(1, MORNING))
    expect(await listChannelMessages(db)).toEqual([{ kind: 'Morning', state: 'failed', failure: 'status 400' }])
  })

  test('with the monthly quota used up sends mail instead, once, and shows it to settings and operator', async () => {
    line.quota = 0
    await refreshLineAccountStatus(db, createTestLineDependencies(line), MORNING, AbortSignal.timeout(5_000))
    await morning(camera(1))
    await send(MORNING)
    expect(line.delivered).toEqual([])
    const mails = (await queuedMails(db)).filter(({ kind }) => kind !== 'line_connected')
    expect(mails.map(({ kind, subject }) => [kind, subject])).toEqual([['line_quota', 'สรุปเช้า ใหม่ 1']])
    expect(mails[0]!.text).toContain('ใช้ครบโควตาแล้ว')
    expect(await states()).toEqual(['Morning sent'])
    const channel = await loadLineAccountStatus(db)
    expect(isLineQuotaExhausted(channel, MORNING)).toBe(true)
    // With a new month the quota counts as available even before LINE reports it.
    expect(isLineQuotaExhausted(channel, new Date('2026-12-01T00:00:00+09:00'))).toBe(false)
    line.quota = 500
    await refreshLineAccountStatus(db, createTestLineDependencies(line), later(60), AbortSignal.timeout(5_000))
    expect(await loadLineAccountStatus(db)).toMatchObject({
      quota: 500,
      used: 0,
      quotaOutAt: null,
      basicId: '@042tamng',
      failure: null,
    })
  })

  test('counts messages between two polls; a failed poll records the reason and keeps the known values', async () => {
    line.quota = 500
    await refreshLineAccountStatus(db, createTestLineDependencies(line), NIGHT, AbortSignal.timeout(5_000))
    await morning(camera(1))
    await send(MORNING)
    expect(await loadLineAccountStatus(db)).toMatchObject({ used: 1 })
    line.mood = 'hangs'
    await refreshLineAccountStatus(db, createTestLineDependencies(line, 100), MORNING, AbortSignal.timeout(5_000))
    expect(await loadLineAccountStatus(db)).toMatchObject({
      used: 1,
      basicId: '@042tamng',
      failure: 'no answer in time',
    })
  })

  test('drops waiting messages of a user who blocked the account', async () => {
    await morning(camera(1))
    await chat.deliver(line.unfollow(somchai))
    await send(MORNING)
    expect(line.delivered).toEqual([])
    expect(await listChannelMessages(db)).toEqual([{ kind: 'Morning', state: 'dropped', failure: 'not connected' }])
  })
})
