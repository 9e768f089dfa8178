import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteDemoData } from '#server/account/demo/demo-data-removal-queries.ts'
import { mailJob } from '#server/jobs/mail/mail-job.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createMailCipher } from '#server/platform/mail/mail-cipher.ts'
import { createSmtpTransport } from '#server/platform/mail/smtp-transport.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { TEST_SECRET } from '../../../test/server/http-app.ts'
import { startSmtpServer } from '../../../test/server/smtp-server.ts'
import {
  createWonProject,
  FIRST_AWARDS,
  MORNING,
  makeQuestionWorld,
  NOW,
  type QuestionWorld,
  questionJobDependencies,
  SUPER_USER_EMAIL,
} from '../../../test/world/question-world.ts'

import { savedQuestionJob } from './saved-question-job.ts'

const later = (date: Date, ms: number) => new Date(date.getTime() + ms)
const DAY = 86_400_000
/** 08:30 in Bangkok. */
const morning = (day: string) => new Date(`${day}T01:30:00Z`)

onEachEngineInTurn('what is told of saved questions', (makeDb) => {
  let db: OpenDb
  let world: QuestionWorld
  let clock = NOW

  beforeAll(async () => {
    db = await makeDb()
    world = await makeQuestionWorld(db, () => clock)
  })
  afterAll(() => world.app.close())
  beforeEach(async () => {
    clock = NOW
    await world.clear()
    await world.load(FIRST_AWARDS)
  })
  afterEach(() => db.script('update organisations set is_company_compare = true'))
  const nextDay = () => world.work(MORNING)

  test('reports only winners that appear after saving, once, in the bell and in the morning mail', async () => {
    await world.save('กล้อง', { address: { project_name__in: 'กล้อง' } })
    await world.load([
      createWonProject('67000000011', 4),
      createWonProject('67000000012', 5),
      createWonProject('67000000013', 6, { name: 'ก่อสร้างถนน' }),
    ])
    await world.work()
    await world.work()
    expect(await world.bell()).toMatchObject([
      { detail: 'กล้อง', change_count: 1, question: { project_name__in: 'กล้อง' } },
    ])
    expect(await world.mailed()).toEqual([])
    await nextDay()
    await nextDay()
    const [mail, ...more] = await world.mailed()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: SUPER_USER_EMAIL, subject: 'ใครชนะ: กล้อง – ผู้ชนะรายใหม่ 1 ราย' })
    for (const text of [
      'ผู้ชนะรายใหม่: บริษัท ทดลอง 5 จำกัด',
      'รู้ผลแล้ว: 8 จาก 8 โครงการ บริษัทชนะ 7',
      '1. บริษัท ทดลอง 1 จำกัด – ชนะ 1 งาน',
      'ลดจากราคากลาง (มัธยฐาน): – n น้อยไป (0)',
      'https://tamngan.example/report?view=who_wins&project_name__in=%E0%B8%81',
    ])
      expect(mail!.text).toContain(text)
    expect(mail!.text).not.toMatch(/สมชาย|ทดลอง 6/)
    clock = later(NOW, 2 * DAY)
    await world.load([createWonProject('67000000014', 5)])
    await world.work()
    await world.work(later(clock, DAY))
    expect([await world.bell(), await world.mailed()].map(({ length }) => length)).toEqual([1, 1])
  })

  test('reports a new top three with the previous one, also for the market; several in one bell and mail', async () => {
    await world.save('ของเรา')
    await world.save('ตลาด', { address: { market: 'true' } })
    await world.load([createWonProject('67000000021', 3, { baht: 20_000_000 })])
    await world.work()
    expect(await world.bell()).toMatchObject([{ detail: 'ของเรา และอีก 1 คำถาม', change_count: 0 }])
    await nextDay()
    const [mail, ...more] = await world.mailed()
    expect(more).toEqual([])
    expect(mail!.subject).toBe('ใครชนะ: 2 คำถามของคุณ – สามอันดับแรกเปลี่ยน')
    const names = (...numbers: number[]) => numbers.map((number) => `บริษัท ทดลอง ${number} จำกัด`).join(', ')
    expect(mail!.text.split(`สามอันดับแรก: ${names(3, 1, 2)}\n  เดิม: ${names(1, 2, 3)}`)).toHaveLength(3)
  })

  test('a check or mail killed before its end reports nothing; rerun, it reports everything once', async () => {
    await world.save('กล้อง')
    await world.load([createWonProject('67000000031', 5)])
    // Simulates a process killed after it wrote the notification, while the transaction is still open.
    const killed: OpenDb = {
      ...db,
      transaction: (work, options) =>
        db.transaction(async (tx) => {
          const done = await work(tx)
          const notifications = await tx.query(sql`select from notifications where type = 'Question_news'`)
          if (notifications.length > 0) throw new Error('killed')
          return done
        }, options),
    }
    expect(await runDue(savedQuestionJob, { db: killed, parts: questionJobDependencies, now: clock })).toBe(1)
    expect(await world.bell()).toEqual([])
    expect(await db.query(sql`select new_winners from saved_questions`)).toEqual([{ new_winners: [] }])
    await world.work(later(clock, 60_000))
    expect(await world.bell()).toHaveLength(1)
    // Simulates a process killed after it queued the email, while the transaction is still open.
    const { mails } = questionJobDependencies.questions
    const dying = {
      questions: {
        ...questionJobDependencies.questions,
        mails: {
          ...mails,
          queue: async (...mail: Parameters<typeof mails.queue>) => {
            await mails.queue(...mail)
            throw new Error('killed')
          },
        },
      },
    }
    await world.work(MORNING, dying)
    expect(await world.mailed()).toEqual([])
    await world.work(later(MORNING, 60_000))
    await world.work(later(MORNING, 120_000))
    expect(await world.mailed()).toHaveLength(1)
    expect((await world.mailed())[0]!.text).toContain('ผู้ชนะรายใหม่: บริษัท ทดลอง 5 จำกัด')
  })

  test('waits until companies are counted, and checks the small loads of a night once in the morning', async () => {
    await world.save('กล้อง')
    clock = new Date('2026-11-21T14:00:00Z')
    for (const number of [5, 6, 7])
      await world.load([createWonProject(`6700000004${number}`, number)], { isIncrement: true })
    expect(await world.work(clock)).toBe(0)
    const seven = new Date('2026-11-22T00:00:00Z')
    await db.execute(sql`update loads set companies_version = 0 where id = (select max(id) from loads)`)
    await world.work(seven)
    expect(await world.bell()).toEqual([])
    await db.execute(sql`update loads set companies_version = (select max(companies_version) from loads)`)
    await world.work(later(seven, 60_000))
    expect(await world.bell()).toMatchObject([{ change_count: 3 }])
    expect((await jobsOf(db, 'question')).filter(({ state }) => state === 'waiting')).toHaveLength(1)
  })

  test('sends the monthly answer once on the 1st at 08:30 or when a worker runs, and again next month', async () => {
    await world.save('รายเดือน', { monthly: true, on_change: false })
    await world.load([createWonProject('67000000051', 5)])
    await world.work()
    expect(await world.bell()).toEqual([])
    expect(await world.work(later(morning('2026-12-01'), -1))).toBe(0)
    await world.work(morning('2026-12-01'))
    await world.work(later(morning('2026-12-01'), 1000))
    const [mail, ...more] = await world.mailed()
    expect(more).toEqual([])
    expect(mail!.text).toContain('ผู้ชนะรายใหม่: บริษัท ทดลอง 5 จำกัด')
    await world.work(morning('2026-12-31'))
    expect(await world.mailed()).toHaveLength(1)
    await world.work(morning('2027-01-03'))
    await world.work(morning('2027-01-04'))
    expect((await world.mailed()).map(({ subject }) => subject)).toEqual([
      'ใครชนะ: รายเดือน – ผู้ชนะรายใหม่ 1 ราย',
      'ใครชนะ: รายเดือน – สรุปประจำเดือน',
    ])
    await world.patched({ change: { id: 'รายเดือน', monthly: false } })
    await world.work(morning('2027-02-01'))
    expect(await world.mailed()).toHaveLength(2)
  })

  test('states how many doubtful prices the known value leaves out', async () => {
    await world.save('รายเดือน', { monthly: true, on_change: false })
    const [contract] = createWonProject('', 5).contracts!
    const unpriced = (id: string) => ({ ...createWonProject(id, 5), contracts: [{ ...contract!, amount: null }] })
    await world.load([unpriced('67000000055'), { ...unpriced('67000000056'), isPriceInDoubt: true }])
    await world.work(morning('2026-12-01'))
    expect((await world.mailed())[0]!.text).toContain('บาท n = 6 ไม่รวม 1 ราคาที่น่าสงสัย')
  })

  test('sends one mail a day with the monthly answers and the news', async () => {
    await world.save('รายเดือน', { monthly: true, on_change: false })
    await world.save('เมื่อเปลี่ยน', { address: { market: 'true' } })
    clock = new Date('2026-11-30T05:00:00Z')
    await world.load([createWonProject('67000000061', 5, { signedOn: '2026-11-29' })])
    await world.work()
    await world.work(morning('2026-12-01'))
    expect((await world.mailed()).map(({ subject }) => subject)).toEqual(['ใครชนะ: 2 คำถามของคุณ – ผู้ชนะรายใหม่ 2 ราย'])
    clock = later(morning('2026-12-01'), 60_000)
    await world.load([createWonProject('67000000062', 6, { signedOn: '2026-11-29' })])
    await world.work()
    await db.execute(sql`update jobs set run_at = ${clock.toISOString()}::timestamptz where state = 'waiting'`)
    await world.work(later(clock, 60_000))
    expect(await world.mailed()).toHaveLength(1)
    await world.work(morning('2026-12-02'))
    expect((await world.mailed()).map(({ subject }) => subject).at(-1)).toBe('ใครชนะ: เมื่อเปลี่ยน – ผู้ชนะรายใหม่ 1 ราย')
  })

  test('bell and mail have separate switches; a closed view sends neither', async () => {
    await world.save('กล้อง')
    await world.patched({ bell: false })
    await world.load([createWonProject('67000000071', 5)])
    await world.work()
    expect(await world.bell()).toEqual([])
    await nextDay()
    expect(await world.mailed()).toHaveLength(1)
    await world.patched({ bell: true, mail: false })
    clock = later(NOW, 2 * DAY)
    await world.load([createWonProject('67000000072', 6)])
    await world.work()
    await world.work(later(clock, DAY))
    expect([(await world.bell()).length, (await world.mailed()).length]).toEqual([1, 1])
    await world.patched({ mail: true })
    await db.script('update organisations set is_company_compare = false')
    await world.load([createWonProject('67000000073', 7)])
    await world.work()
    await world.work(later(clock, 2 * DAY))
    expect(await world.mailed()).toHaveLength(1)
  })

  test('stops an invalid question with a problem while others continue; retrying resumes its alerts', async () => {
    await world.save('กล้อง')
    await world.save('เก่า', { address: { market: 'true' } })
    await db.execute(
      sql`update saved_questions set address = '{"market": "true", "project_bookmark": "true"}' where id = 'เก่า'`,
    )
    await world.load([createWonProject('67000000081', 5)])
    await world.work()
    expect((await jobsOf(db, 'question')).filter(({ last_error: error }) => error !== null)).toEqual([])
    const list = async () =>
      (await world.call('GET')).json().questions.map((question: { problem: string | null }) => question.problem)
    expect(await list()).toEqual([null, 'refused'])
    await nextDay()
    expect((await world.mailed()).map(({ subject }) => subject)).toEqual(['ใครชนะ: กล้อง – ผู้ชนะรายใหม่ 1 ราย'])
    await db.execute(sql`update saved_questions set address = '{"market": "true"}' where id = 'เก่า'`)
    clock = later(NOW, 2 * DAY)
    expect((await world.patched({ change: { id: 'เก่า', again: true } })).questions[1]!.problem).toBeNull()
    await world.work()
    await world.load([createWonProject('67000000082', 6)])
    await world.work()
    expect((await world.bell()).map(({ detail }) => detail)).toEqual(['กล้อง และอีก 1 คำถาม', 'กล้อง'])
  })

  test('retries a slow question before stopping it', async () => {
    await world.save('ตลาด', { address: { market: 'true' } })
    await db.script(`update pg_class set reltuples = 1000000 where oid = 'projects'::regclass`)
    await world.load([createWonProject('67000000091', 5)])
    for (let attempt = 0; attempt < 7; attempt += 1) await world.work(later(clock, attempt * 3_600_000))
    expect((await world.call('GET')).json().questions[0].problem).toBe('heavy')
    await db.script('analyze projects')
  })

  test('retiring the demo data resets known winners: the next check relearns them and reports nothing', async () => {
    await world.save('กล้อง')
    await db.transaction((tx) => deleteDemoData(tx))
    await world.load([createWonProject('67000000095', 5)])
    await world.work()
    expect(await world.bell()).toEqual([])
    await world.load([createWonProject('67000000096', 6)])
    await world.work()
    expect(await world.bell()).toMatchObject([{ change_count: 1 }])
  })

  test('over SMTP, one click unsubscribes from the mail, and its page undoes that', async () => {
    await world.save('กล้อง')
    await world.load([createWonProject('67000000101', 5)])
    await world.work()
    await nextDay()
    const smtp = await startSmtpServer()
    const transport = createSmtpTransport({ url: smtp.url, from: 'ตามงาน <no-reply@tamngan.example>' })
    try {
      const delivery = { seal: createMailCipher([TEST_SECRET]), transport }
      await runDue(mailJob, { db, parts: { delivery }, now: MORNING })
      await runDue(mailJob, { db, parts: { delivery }, now: later(MORNING, 10_000) })
    } finally {
      transport.close()
      await smtp.close()
    }
    expect(smtp.received).toHaveLength(1)
    const { parsed } = smtp.received[0]!
    expect(parsed.subject).toBe('ใครชนะ: กล้อง – ผู้ชนะรายใหม่ 1 ราย')
    const off = parsed.headers.find(({ key }) => key === 'list-unsubscribe')!.value
    const path = /^<https:\/\/tamngan\.example(\/api\/v2\/mail-links\/unsubscribe\/[\w.-]+)>$/.exec(off)![1]!
    const wantsMail = async () => (await world.call('GET')).json().mail
    expect((await world.app.inject({ method: 'POST', url: path })).statusCode).toBe(204)
    expect(await wantsMail()).toBe(false)
    const token = /หยุดรับอีเมลคำถามที่บันทึก: https:\/\/tamngan\.example\/mail-link#(\S+)/.exec(parsed.text!)![1]!
    const link = (text: string) =>
      world.app.inject({ method: 'POST', url: '/api/v2/mail-links', payload: { token: text } })
    await world.patched({ mail: true })
    const done = (await link(token)).json()
    expect([done.kind, done.done, await wantsMail()]).toEqual(['questions_off', true, false])
    await link(done.undo)
    expect(await wantsMail()).toBe(true)
  })
})
