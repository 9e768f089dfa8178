import sql from 'sql-template-tag'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { NOTIFICATION_TYPES } from '#contract/account/notification.ts'
import {
  CHANNEL_MESSAGE_KINDS,
  type ChannelPreferences,
  DEFAULT_CHANNEL_PREFERENCES,
} from '#contract/channels/channel.ts'
import { readNotificationChannelMetrics } from '#server/channels/channel/channel-figures.ts'
import { findNextDeliveryTime, scheduleMorningSummaries } from '#server/channels/channel/delivery-hours.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runAsTenant } from '#server/platform/engine/tenant.ts'
import { JobFailedError } from '#server/platform/queue/job.ts'
import { jobsOf } from '../../test/jobs.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'
import {
  connectTestChannel,
  createRecordingSender,
  listChannelMessages,
  sendDueMessages,
} from '../../test/world/channel-world.ts'
import { loadAndNotify, starProjects } from '../../test/world/notification-world.ts'
import { saveFilter } from '../../test/world/report-mail-world.ts'
import { addOrganisation, addUser } from '../../test/world/report-world.ts'

const at = (time: string) => new Date(`2026-11-${time}+07:00`)
const NOON = at('20T12:00:00')
const later = (minutes: number, from = NOON) => new Date(from.getTime() + minutes * 60_000)
const ALL = { kinds: CHANNEL_MESSAGE_KINDS.map(({ code }) => code) }

test('every notification type can be sent to a channel', () => {
  const codes: readonly string[] = CHANNEL_MESSAGE_KINDS.map(({ code }) => code)
  expect(NOTIFICATION_TYPES.filter((type) => !codes.includes(type))).toEqual([])
})

test.each<[string, Partial<ChannelPreferences>, string, string]>([
  ['within the day', {}, '20T12:00:00', '20T12:00:00'],
  ['when quiet begins', {}, '20T20:00:00', '21T07:00:00'],
  ['after midnight', {}, '21T03:00:00', '21T07:00:00'],
  ['when it ends', {}, '21T07:00:00', '21T07:00:00'],
  ['without quiet hours', { quiet_from: '09:00', quiet_until: '09:00' }, '21T03:00:00', '21T03:00:00'],
  ['quiet at noon', { quiet_from: '12:00', quiet_until: '13:30' }, '20T12:15:00', '20T13:30:00'],
  ['on Saturday', { working_days_only: true }, '21T12:00:00', '23T07:00:00'],
  ['on Friday night', { working_days_only: true }, '20T22:00:00', '23T07:00:00'],
  [
    'on Saturday, without quiet hours',
    { working_days_only: true, quiet_from: '00:00', quiet_until: '00:00' },
    '21T12:00:00',
    '23T00:00:00',
  ],
])('%s', (_, wish, now, opens) => {
  expect(findNextDeliveryTime({ ...DEFAULT_CHANNEL_PREFERENCES, ...wish }, at(now))).toEqual(at(opens))
})

test('a holiday is not a working day: New Year ends on Monday', () => {
  const wish = { ...DEFAULT_CHANNEL_PREFERENCES, working_days_only: true }
  expect(findNextDeliveryTime(wish, new Date('2026-12-30T22:00:00+07:00'))).toEqual(
    new Date('2027-01-04T07:00:00+07:00'),
  )
})

onEachEngineInTurn('channels', (makeDb) => {
  let db: OpenDb
  let organisationId: number
  let userId: number
  let line = createRecordingSender()
  const camera = (id: string, more: object = {}) => ({ id, name: `ซื้อกล้อง ${id}`, ...more })
  const due = { submissionEndsOn: '2026-11-24' }

  beforeAll(async () => {
    db = await makeDb()
  })
  beforeEach(async () => {
    await db.script(
      'truncate organisations, users, projects, project_matches, loads, jobs, notifications restart identity cascade',
    )
    organisationId = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    userId = await addUser(db, organisationId)
    line = createRecordingSender()
  })
  const owner = () => ({ userId, organisationId })
  const send = (now: Date) => sendDueMessages(db, [line.sender], now)
  const states = async () => (await listChannelMessages(db)).map(({ kind, state }) => `${kind} ${state}`)

  test('a load is sent once, as one message ten minutes later that includes what happened meanwhile', async () => {
    await connectTestChannel(db, owner(), 'line', ALL)
    await loadAndNotify(db, [camera('69119000001', due), camera('69119000002', due)], { at: NOON })
    await starProjects(db, userId, '69119000001', '69119000002')
    await loadAndNotify(db, [], { at: NOON })
    await loadAndNotify(db, [camera('69119000002', due)], { at: later(5) })
    expect(await send(later(9))).toBe(0)
    await send(later(16))
    expect(line.sent.map(({ items }) => items.map(({ kind, text, detail }) => `${kind} ${text} ${detail}`))).toEqual(
      [
        [
          'Submission_date_end ยื่นข้อเสนอ เหลือ 4 วัน ซื้อกล้อง 69119000002',
          'Submission_date_end ยื่นข้อเสนอ เหลือ 4 วัน ซื้อกล้อง 69119000001',
          'Updated ข้อมูลโครงการมีการอัปเดต ซื้อกล้อง 69119000002',
        ].toSorted((a, b) => (a < b ? -1 : 1)),
      ].map((lines) => expect.arrayContaining(lines)),
    )
    expect(line.sent[0]).toMatchObject({ unread: 3, morning: undefined, channel: 'line' })
    expect(line.sent[0]!.items[0]).toMatchObject({
      path: expect.stringMatching(/^\/report\/6911900000/),
      project: { isStarred: true },
    })
    expect(await send(later(600))).toBe(0)
    expect(await states()).toEqual(['Submission_date_end sent', 'Submission_date_end sent', 'Updated sent'])
  })

  test('sends a moved deadline of a starred project at once with both dates, of a labelled one as update', async () => {
    await connectTestChannel(db, owner(), 'line', ALL)
    await loadAndNotify(db, [camera('69119000001'), camera('69119000002')], { at: NOON })
    await starProjects(db, userId, '69119000001')
    await db.script(
      `insert into labels values (${userId}, 'l', 'ป้าย', 'rose', now()); insert into label_assignments values (${userId}, '69119000002', 'l', now())`,
    )
    const moved = { ...due, submissionEndsOn: '2027-01-08' }
    await loadAndNotify(db, [camera('69119000001', moved), camera('69119000002', moved)], {
      at: NOON,
      changes: { submission_end_date: '2027-01-08' },
    })
    await db.execute(sql`update project_changes set old_value = '2027-01-01'`)
    expect(await send(NOON)).toBe(1)
    expect(line.sent.map(({ items }) => items.map(({ kind, text }) => [kind, text]))).toEqual([
      [['Deadline_moved', expect.stringContaining('→')]],
    ])
    await send(later(10))
    expect(line.sent[1]!.items.map(({ kind }) => kind)).toEqual(['Updated'])
  })

  test('sends nothing without a connection, for other kinds or for other filters', async () => {
    await connectTestChannel(db, owner(), 'line', { kinds: ['Mentioned'] })
    const otherUserId = await addUser(db, organisationId)
    await loadAndNotify(db, [camera('69119000001', due)], { at: NOON })
    await starProjects(db, userId, '69119000001')
    await starProjects(db, otherUserId, '69119000001')
    await loadAndNotify(db, [], { at: NOON })
    expect(await db.query(sql`select count(*)::int as n from notifications`)).toEqual([{ n: 2 }])
    await saveFilter(db, userId, { id: 'mine', name: 'ของฉัน', address: {} })
    await connectTestChannel(db, owner(), 'line', { kinds: ['Document_found'], filters: ['mine', 'of somebody else'] })
    expect(await db.query(sql`select filters from channel_settings`)).toEqual([{ filters: ['mine'] }])
    for (const version of ['mine', 'other'])
      await db.execute(sql`
        insert into notifications (user_id, organisation_id, type, project_id, version, created_at)
        values (${userId}::int, ${organisationId}::int, 'Document_found', '69119000001', ${version}, ${NOON.toISOString()}::timestamptz)`)
    expect(await states()).toEqual(['Document_found waiting'])
  })

  test('a note notifies the mentioned colleague, in the transaction and role of its author', async () => {
    await connectTestChannel(db, owner(), 'line')
    const author = await addUser(db, organisationId)
    const call = (note: string) =>
      sql`select tell_mentioned(array[${userId}::int], '69119000001', ${note}, ${NOON.toISOString()}::timestamptz)`
    await runAsTenant({ organisationId, userId: author }, async () => {
      await db.query(call('one'))
      await db
        .transaction(async (tx) => {
          await tx.query(call('two'))
          throw new Error('rolled back')
        })
        .catch(() => undefined)
    })
    await send(NOON)
    expect(line.sent.map(({ items }) => items.map(({ kind }) => kind))).toEqual([['Mentioned']])
    expect(await states()).toEqual(['Mentioned sent'])
  })

  test('quiet hours and days off postpone notifications into one message', async () => {
    await connectTestChannel(db, owner(), 'line', { ...ALL, working_days_only: true })
    await loadAndNotify(db, [camera('69119000001', due), camera('69119000002', due)], { at: at('20T21:00:00') })
    await starProjects(db, userId, '69119000001')
    await loadAndNotify(db, [], { at: at('20T21:00:00') })
    await starProjects(db, userId, '69119000002')
    await loadAndNotify(db, [], { at: at('21T12:00:00') })
    for (const now of ['20T21:30:00', '21T13:00:00', '23T06:59:59']) await send(at(now))
    expect(line.sent).toEqual([])
    await send(at('23T07:00:00'))
    expect(line.sent.map(({ items }) => items.length)).toEqual([2])
    expect(line.sent[0]!.items[0]!.text).toBe('ยื่นข้อเสนอ เหลือ 1 วัน')
  })

  test('drops what was read in the bell, hidden or is over by then', async () => {
    await connectTestChannel(db, owner(), 'line', ALL)
    const ids = ['69119000001', '69119000002', '69119000003']
    await loadAndNotify(
      db,
      ids.map((id) => camera(id, due)),
      { at: NOON },
    )
    await starProjects(db, userId, ...ids)
    await loadAndNotify(db, [], { at: NOON })
    await db.execute(sql`update notifications set read_at = now() where project_id = '69119000001'`)
    await db.execute(sql`insert into hidden_projects values (${userId}::int, '69119000002', now())`)
    await db.execute(sql`update projects set submission_ends_on = '2026-12-24' where project_id = '69119000003'`)
    await send(later(10))
    expect(line.sent).toEqual([])
    expect(await states()).toEqual(ids.map(() => 'Submission_date_end dropped'))
  })

  test('retries a failing sender with the same message and gives up after fifteen attempts', async () => {
    await connectTestChannel(db, owner(), 'line', { quiet_from: '00:00', quiet_until: '00:00' })
    await loadAndNotify(db, [camera('69119000001', due)], { at: NOON })
    await starProjects(db, userId, '69119000001')
    await loadAndNotify(db, [], { at: NOON })
    line.answers.push(new JobFailedError('500'))
    await send(later(10))
    await send(later(20))
    expect(line.sent).toHaveLength(2)
    expect(line.sent[1]!.id).toBe(line.sent[0]!.id)
    expect(await states()).toEqual(['Submission_date_end sent'])

    await db.script(
      `update channel_messages set state = 'waiting', batch = null; update jobs set state = 'waiting', attempts = 0, finished_at = null`,
    )
    let clock = later(30)
    for (let i = 0; i < 16; i += 1) {
      line.answers.push(new JobFailedError('500'))
      await send(clock)
      clock = later(40, clock)
    }
    expect(await listChannelMessages(db)).toEqual([
      { kind: 'Submission_date_end', state: 'failed', failure: 'too many attempts' },
    ])
    expect((await readNotificationChannelMetrics(db)).find(({ channel }) => channel === 'line')).toMatchObject({
      users: 1,
      failed: expect.any(Number),
      lastError: 'too many attempts',
    })
  })

  test('honours a retry time, drops a refused message and closes a channel that is not connected', async () => {
    await connectTestChannel(db, owner(), 'line')
    const ids = ['69119000001', '69119000002', '69119000003', '69119000004']
    await loadAndNotify(
      db,
      ids.map((id) => camera(id, due)),
      { at: NOON },
    )
    const notifyAt = async (id: string, now: Date) => {
      await starProjects(db, userId, id)
      await loadAndNotify(db, [], { at: now })
    }
    await notifyAt(ids[0]!, NOON)
    line.answers.push({ kind: 'later', at: later(60) }, { kind: 'refused', failure: '400' }, { kind: 'gone' })
    await send(later(10))
    expect(await send(later(59))).toBe(0)
    expect(await jobsOf(db, 'channel')).toMatchObject([{ state: 'waiting', attempts: 0 }])
    await send(later(60))
    expect(line.sent[1]!.id).toBe(line.sent[0]!.id)
    await notifyAt(ids[1]!, later(61))
    await notifyAt(ids[2]!, later(100))
    await send(later(75))
    expect(await listChannelMessages(db)).toMatchObject([
      { state: 'failed', failure: '400' },
      { state: 'dropped', failure: 'gone' },
      { state: 'dropped', failure: 'not connected' },
    ])
    await notifyAt(ids[3]!, later(120))
    expect(await states()).toHaveLength(3)
  })

  test('the morning message counts new and closing projects once a day, of the report or the chosen filters', async () => {
    await connectTestChannel(db, owner(), 'line')
    const second = await addUser(db, organisationId)
    await saveFilter(db, second, { id: 'f', name: 'ใกล้', address: { project_id__in: '69119000012' } })
    await connectTestChannel(db, { userId: second, organisationId }, 'line', { filters: ['f'] })
    await loadAndNotify(db, [camera('69119000019')], { at: NOON })
    await db.script(`update loads set published_at = '2026-11-01'`)
    await loadAndNotify(
      db,
      [camera('69119000011'), camera('69119000012', { submissionEndsOn: '2026-11-21' }), camera('69119000013')],
      { at: NOON },
    )
    await db.execute(sql`update loads set published_at = ${later(60).toISOString()}::timestamptz where id > 1`)
    for (const now of [NOON, later(5)]) await db.transaction((tx) => scheduleMorningSummaries(tx, now))
    expect(await send(at('21T07:29:59'))).toBe(0)
    await send(at('21T07:30:00'))
    const [first, chosen] = line.sent.toSorted((a, b) => a.userId - b.userId)
    expect(first!.morning).toMatchObject({ day: '2026-11-21', figures: { new: 3, updated: 0, closing: 1, comment: 0 } })
    expect(first!.morning!.projects.map(({ id }) => id)).toEqual(['69119000012', '69119000011', '69119000013'])
    expect(first!.morning!.path).toBe('/report?queue=true')
    expect(chosen!.morning).toMatchObject({
      figures: { new: 1, updated: 0, closing: 1, comment: 0 },
      projects: [{ id: '69119000012', due: 'closing', closesOn: '2026-11-21' }],
    })
    await db.script(`update projects set submission_ends_on = null; delete from jobs`)
    await db.transaction((tx) => scheduleMorningSummaries(tx, at('21T08:00:00')))
    await send(at('22T07:30:00'))
    expect(line.sent).toHaveLength(2)
    expect(await states()).toEqual(['Morning sent', 'Morning sent', 'Morning dropped', 'Morning dropped'])
  })

  test('sends no card of a project that takes no bids any more', async () => {
    await connectTestChannel(db, owner(), 'line')
    await loadAndNotify(db, [camera('69119000001', due), camera('69119000002', due)], { at: NOON })
    await starProjects(db, userId, '69119000001', '69119000002')
    await loadAndNotify(db, [], { at: NOON })
    await db.execute(sql`update projects set status = 'project_cancelled' where project_id = '69119000001'`)
    await send(later(16))
    expect(line.sent.map(({ items }) => items.map(({ project }) => project?.id))).toEqual([['69119000002']])

    await db.execute(sql`update loads set published_at = ${later(60).toISOString()}::timestamptz`)
    await db.execute(sql`update projects set submission_ends_on = null`)
    await db.execute(sql`update projects set winner_announced_on = '2026-11-20' where project_id = '69119000002'`)
    await loadAndNotify(db, [camera('69119000003')], { at: NOON })
    await db.execute(sql`update loads set published_at = ${later(60).toISOString()}::timestamptz`)
    await db.transaction((tx) => scheduleMorningSummaries(tx, later(90)))
    await send(at('21T07:30:00'))
    expect(line.sent[1]!.morning!.projects.map(({ id }) => id)).toEqual(['69119000003'])
  })

  test('drops messages of a disabled user and keeps them while the channel is not set up', async () => {
    await connectTestChannel(db, owner(), 'line')
    await loadAndNotify(db, [camera('69119000001', due)], { at: NOON })
    await starProjects(db, userId, '69119000001')
    await loadAndNotify(db, [], { at: NOON })
    await sendDueMessages(db, [], later(10))
    expect(await states()).toEqual(['Submission_date_end waiting'])
    await db.execute(sql`update users set is_disabled = true where id = ${userId}::int`)
    await send(later(80))
    expect(await listChannelMessages(db)).toEqual([
      { kind: 'Submission_date_end', state: 'dropped', failure: 'not notifiable' },
    ])
  })
})
