import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { OpenDb } from '#server/platform/engine/db.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { type LinePerson, LineServer } from '../../../test/line/line-server.ts'
import {
  findLinkUrl,
  getPostbackData,
  joinMessageTexts,
  LineChat,
  listActions,
  loadMarks,
} from '../../../test/line/line-world.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyTables } from '../../../test/server/empty-tables.ts'
import { appOn } from '../../../test/server/http-app.ts'
import { loadAndNotify } from '../../../test/world/notification-world.ts'
import { addOrganisation, addUser } from '../../../test/world/report-world.ts'

const NOON = new Date('2026-11-20T12:00:00+07:00')
const later = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000)
const CAMERA = '69119000001'

onEachEngineInTurn('a chat with LINE', (makeDb) => {
  let db: OpenDb
  let app: RouteApp
  let line: LineServer
  let chat: LineChat
  let isChatting = false
  let somchai: LinePerson
  let organisationId: number
  let userId: number
  const owner = () => ({ userId, organisationId })
  const linked = async () =>
    (await db.query<{ id: number }>(sql`select user_id as id from line_links order by 1`)).map(({ id }) => id)
  const audited = async () =>
    (await db.query<{ kind: string }>(sql`select kind from audit_events where kind like 'line%' order by id`)).map(
      ({ kind }) => kind,
    )

  beforeAll(async () => {
    db = await makeDb()
    line = new LineServer()
    await line.start()
    app = await appOn(db, { settings: { line: line.settings() }, now: () => (isChatting ? chat.now : NOON) })
  })
  afterAll(async () => {
    await app.close()
    await line.stop()
  })
  beforeEach(async () => {
    await emptyTables(
      db,
      ...['organisations', 'projects', 'loads', 'jobs', 'notifications'],
      ...['line_events', 'line_presses', 'line_channel', 'audit_events'],
    )
    line.mood = 'well'
    line.refused.length = 0
    chat = new LineChat(app, db, line, NOON)
    isChatting = true
    somchai = line.person('สมชาย')
    organisationId = await addOrganisation(db, { words: { include: ['กล้อง'] } })
    userId = await addUser(db, organisationId)
    await loadAndNotify(db, [
      {
        id: CAMERA,
        name: 'ซื้อกล้องวงจรปิด',
        submissionEndsOn: '2026-11-24',
        budget: 1_250_000_000,
        movementOn: '2026-11-20',
      },
      { id: '69119000002', name: 'ก่อสร้างถนน' },
    ])
  })

  test('R76: a code and a confirmation in LINE connect only the person who sent it', async () => {
    expect(await chat.connect(owner(), somchai)).toContain('เชื่อมแล้ว')
    expect(await linked()).toEqual([userId])
    expect(await audited()).toEqual(['line_connected'])
    const [row] = await db.query<Record<string, unknown>>(
      sql`select l.*, s.is_on from line_links l join channel_settings s on s.user_id = l.user_id`,
    )
    expect(JSON.stringify(row)).not.toContain(somchai.id)
    expect(JSON.stringify(row)).not.toContain('สมชาย')
    expect(row).toMatchObject({ is_on: true })
    expect(line.refused).toEqual([])
  })

  test('R76: a code works once, for ten minutes, and only for the person LINE confirms', async () => {
    const stranger = line.person('คนอื่น')
    await chat.giveCode(owner(), 'KKKK-3333')
    const offered = await chat.deliver(line.message(somchai, 'เชื่อมบัญชี kkkk-3333'))
    expect(joinMessageTexts(offered)).toContain('••••@example.org')
    expect(await chat.says(stranger, 'เชื่อมบัญชี KKKK-3333')).toContain('รหัสนี้ใช้ไม่ได้')
    // Another person opens the link. LINE refuses that; if LINE did not, our server would refuse the connection.
    expect(line.openAccountLink(stranger, findLinkUrl(offered)!)).toBeUndefined()
    const nonce = new URL(findLinkUrl(offered)!).searchParams.get('nonce')!
    const forged = line.event('accountLink', stranger, { link: { result: 'ok', nonce } })
    expect(joinMessageTexts(await chat.deliver(forged))).toContain('เชื่อมไม่สำเร็จ')
    expect(await linked()).toEqual([])
    chat.now = later(11)
    const late = line.event('accountLink', somchai, { link: { result: 'ok', nonce } })
    expect(joinMessageTexts(await chat.deliver(late))).toContain('เชื่อมไม่สำเร็จ')
    await chat.giveCode(owner(), 'MMMM-4444', later(1))
    expect(await chat.says(somchai, 'เชื่อมบัญชี MMMM-4444')).toContain('รหัสนี้ใช้ไม่ได้')
    expect(await linked()).toEqual([])
  })

  test('R76: a LINE account belongs to one user: a second user gets an error, and the first keeps it', async () => {
    await chat.connect(owner(), somchai)
    const colleague = await addUser(db, organisationId)
    expect(await chat.connect({ userId: colleague, organisationId }, somchai, 'BBBB-5555')).toContain('อีกบัญชีหนึ่ง')
    expect(await linked()).toEqual([userId])
    expect(await chat.connect(owner(), line.person('เครื่องใหม่'), 'CCCC-6666')).toContain('เชื่อมแล้ว')
    expect(await linked()).toEqual([userId])
    expect(await chat.says(somchai, CAMERA)).toContain('ยังไม่ได้เชื่อม')
  })

  test('resumes with the same event after a worker died using the code', async () => {
    await chat.giveCode(owner(), 'DDDD-7777')
    line.mood = { status: 500 }
    const event = line.message(somchai, 'เชื่อมบัญชี DDDD-7777')
    expect(await chat.deliver(event)).toEqual([])
    line.mood = 'well'
    chat.now = new Date(NOON.getTime() + 5_000)
    await chat.work()
    expect(findLinkUrl(line.replies.at(-1)!.messages)).toContain('linkToken=')
  })

  test('blocking the account disconnects it and turns the channel off', async () => {
    await chat.connect(owner(), somchai)
    await chat.deliver(line.unfollow(somchai))
    expect(await linked()).toEqual([])
    expect(await audited()).toEqual(['line_connected', 'line_disconnected'])
    expect(await db.query(sql`select is_on from channel_settings`)).toEqual([{ is_on: false }])
  })

  test('R77: buttons act once, as in the report, and the reply offers undo', async () => {
    await chat.connect(owner(), somchai)
    const card = await chat.deliver(
      line.message(somchai, `ดูอันนี้ https://process.gprocurement.go.th/x?projectId=${CAMERA}`),
    )
    expect(joinMessageTexts(card)).toContain('ซื้อกล้องวงจรปิด')
    expect(joinMessageTexts(card)).toContain('12.50 ล้านบาท')
    expect(listActions(card).map(({ label }) => label)).toEqual(['ติดดาว', 'เปิด', 'เกี่ยว', 'ไม่เกี่ยว', 'เคยเห็นแล้ว'])
    const star = getPostbackData(card, 'ติดดาว')
    const done = await chat.presses(somchai, star)
    expect(joinMessageTexts(done)).toContain('ติดดาวแล้ว: ซื้อกล้องวงจรปิด')
    expect(await loadMarks(db, userId)).toEqual({ stars: [CAMERA], hidden: [], decided: [CAMERA] })
    expect(joinMessageTexts(await chat.presses(somchai, star))).toContain('กดไปแล้ว')
    await chat.presses(somchai, getPostbackData(done, 'เลิกทำ'))
    expect(await loadMarks(db, userId)).toEqual({ stars: [], hidden: [], decided: [] })
    expect(line.refused).toEqual([])
  })

  test('R77: an answer is stored with one press and undone with one; ไม่เกี่ยว hides until it is undone', async () => {
    await chat.connect(owner(), somchai)
    const card = await chat.deliver(line.message(somchai, CAMERA))
    const answers = () => db.query(sql`select user_id, project_id, verdict from project_feedback`)
    const relevant = await chat.presses(somchai, getPostbackData(card, 'เกี่ยว'))
    expect(joinMessageTexts(relevant)).toContain('บันทึกว่าเกี่ยวแล้ว: ซื้อกล้องวงจรปิด')
    expect(await answers()).toEqual([{ user_id: userId, project_id: CAMERA, verdict: 'relevant' }])
    expect(await loadMarks(db, userId)).toEqual({ stars: [], hidden: [], decided: [] })
    const irrelevant = await chat.presses(somchai, getPostbackData(card, 'ไม่เกี่ยว'))
    expect(await answers()).toMatchObject([{ verdict: 'irrelevant' }])
    expect(await loadMarks(db, userId)).toEqual({ stars: [], hidden: [CAMERA], decided: [CAMERA] })
    const undone = await chat.presses(somchai, getPostbackData(irrelevant, 'เลิกทำ'))
    expect(joinMessageTexts(undone)).toContain('บันทึกว่าเกี่ยวแล้ว')
    expect(await answers()).toMatchObject([{ verdict: 'relevant' }])
    expect(await loadMarks(db, userId)).toMatchObject({ hidden: [] })
    expect(joinMessageTexts(await chat.presses(somchai, getPostbackData(card, 'ไม่เกี่ยว')))).toContain('กดไปแล้ว')
    const removed = await chat.presses(somchai, getPostbackData(relevant, 'เลิกทำ'))
    expect(joinMessageTexts(removed)).toContain('ลบคำตอบแล้ว')
    expect(await answers()).toEqual([])
    await chat.presses(somchai, getPostbackData(card, 'เคยเห็นแล้ว'))
    expect(await answers()).toMatchObject([{ verdict: 'seen' }])
    expect(await loadMarks(db, userId)).toEqual({ stars: [], hidden: [], decided: [CAMERA] })
    expect(line.refused).toEqual([])
  })

  test('offers no answers, but hiding, for a project that takes no bids any more', async () => {
    await chat.connect(owner(), somchai)
    await db.execute(sql`update projects set status = 'project_cancelled' where project_id = ${CAMERA}`)
    const card = await chat.deliver(line.message(somchai, CAMERA))
    expect(listActions(card).map(({ label }) => label)).toEqual(['ติดดาว', 'ไม่สนใจ', 'เปิด'])
    const hidden = await chat.presses(somchai, getPostbackData(card, 'ไม่สนใจ'))
    expect(joinMessageTexts(hidden)).toContain('ซ่อนจากรายงานของคุณแล้ว')
    expect(await loadMarks(db, userId)).toEqual({ stars: [], hidden: [CAMERA], decided: [CAMERA] })
  })

  test('R77: a button works only for its person and account, for a week', async () => {
    await chat.connect(owner(), somchai)
    const card = await chat.deliver(line.message(somchai, CAMERA))
    const star = getPostbackData(card, 'ติดดาว')
    const thief = line.person('คนอื่น')
    expect(joinMessageTexts(await chat.presses(thief, star))).toBe('ปุ่มนี้ใช้ไม่ได้')
    expect(
      joinMessageTexts(
        await chat.presses(
          somchai,
          star.replace(/.$/, (sign) => (sign === 'A' ? 'B' : 'A')),
        ),
      ),
    ).toBe('ปุ่มนี้ใช้ไม่ได้')
    chat.now = later(8 * 24 * 60)
    expect(joinMessageTexts(await chat.presses(somchai, star))).toContain('เก่ากว่า 7 วัน')
    chat.now = NOON
    await db.execute(sql`delete from line_links`)
    const colleague = await addUser(db, organisationId)
    await chat.connect({ userId: colleague, organisationId }, somchai, 'EEEE-8888')
    expect(joinMessageTexts(await chat.presses(somchai, star))).toContain('ไม่ได้เชื่อมกับบัญชีของปุ่มนี้แล้ว')
    expect(await loadMarks(db, userId)).toEqual({ stars: [], hidden: [], decided: [] })
    expect(await loadMarks(db, colleague)).toEqual({ stars: [], hidden: [], decided: [] })
  })

  test('shows a project outside the report without mark buttons', async () => {
    await chat.connect(owner(), somchai)
    const card = await chat.deliver(line.message(somchai, '69119000002'))
    expect(joinMessageTexts(card)).toContain('ไม่อยู่ในรายงานขององค์กร')
    expect(listActions(card).map(({ label }) => label)).toEqual(['เปิด'])
    expect(await chat.says(somchai, '69119999999')).toContain('ไม่พบโครงการ')
    expect(await chat.says(somchai, 'สวัสดี')).toContain('ส่งเลขที่โครงการ 11 หลัก')
  })

  test('R78: once a super user connects a group, the bot answers it with public facts only', async () => {
    const group = line.group()
    expect(joinMessageTexts(await chat.deliver(line.join(group)))).toContain('เชื่อมกลุ่ม')
    expect(await chat.says(somchai, CAMERA, group)).toBe('')
    await chat.giveGroupCode(owner(), 'GGGG-2222')
    expect(await chat.says(somchai, 'เชื่อมกลุ่ม GGGG-2222', group)).toContain('รหัสนี้ใช้ไม่ได้')
    await db.execute(sql`update users set role = 'super_user' where id = ${userId}::int`)
    expect(await chat.says(somchai, 'เชื่อมกลุ่ม GGGG-2222', group)).toContain('เชื่อมกลุ่มนี้กับ')
    expect(await chat.says(somchai, 'เชื่อมกลุ่ม GGGG-2222', line.group())).toContain('รหัสนี้ใช้ไม่ได้')
    await db.execute(sql`insert into bookmarks (user_id, project_id) values (${userId}::int, ${CAMERA})`)
    const card = await chat.deliver(line.message(somchai, `6911-9000001 อันนี้`, group))
    expect(joinMessageTexts(card)).toContain('ซื้อกล้องวงจรปิด')
    expect(joinMessageTexts(card)).not.toContain('ดาว')
    expect(listActions(card).map(({ label, data }) => [label, data])).toEqual([['เปิด', undefined]])
    expect(await chat.says(somchai, 'โทร 0812345678', group)).toBe('')
    expect(await chat.says(somchai, '69119999999', group)).toBe('')
    await chat.deliver(line.leave(group))
    expect(await db.query(sql`select id from line_groups`)).toEqual([])
    expect(await audited()).toEqual(['line_group_connected'])
  })
})
