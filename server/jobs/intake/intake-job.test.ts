import sql from 'sql-template-tag'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { runIntake } from '#server/catalogue/intake/intake-commands.ts'
import { listNightlyRuns, readFeedCoverage, readIntakeSourceState } from '#server/catalogue/intake/intake-sources.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { jobsOf, runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { CONTACT, makeIntakeWorld } from '../../../test/world/intake-world.ts'
import { intakeJob } from './intake-job.ts'

/** The evening of a Monday. */
const EVENING = '2026-11-23T17:31:00+07:00'
const SOURCE = 'egp-rss'

onEachEngineInTurn('the feed of e-GP, fetched', (makeDb) => {
  let db: OpenDb
  let world: Awaited<ReturnType<typeof makeIntakeWorld>>
  beforeAll(async () => {
    db = await makeDb()
  })
  afterEach(() => world.server.close())

  const start = async (agencies: readonly string[], at = EVENING) => {
    world = await makeIntakeWorld(db, { at, agencies })
  }
  const turn = () => runDue(intakeJob, { db, now: world.clock.now, parts: world.parts })
  async function live(until: string): Promise<void> {
    for (;;) {
      const [job] = await db.query<{ at: string }>(
        sql`select run_at as at from jobs where kind = 'intake' and state = 'waiting'`,
      )
      if (!job || new Date(job.at) > new Date(until)) break
      world.clock.passUntil(new Date(job.at))
      await turn()
    }
    world.clock.passUntil(new Date(until))
  }
  const at = (time: string) => new Date(`2026-11-${time}:00+07:00`)
  const titles = async () =>
    (await db.query<{ title: string }>(sql`select title from intake_announcements order by id`)).map(
      ({ title }) => title,
    )
  const source = () => readIntakeSourceState(db, SOURCE)
  const nights = () => listNightlyRuns(db, SOURCE, 9)
  const coverage = () => readFeedCoverage(db, SOURCE, world.clock.now())

  test('is queried sequentially under our real name, and its responses are stored as received', async () => {
    await start(['0304', '1700'])
    world.publish(3, { at: at('23T11:00') })
    await live('2026-11-23T23:00:00+07:00')
    expect(
      await db.query(
        sql`select project_id, type, title, method, label, agency, published_on from intake_announcements order by project_id limit 1`,
      ),
    ).toEqual([
      {
        project_id: '69119000001',
        type: 'D0',
        title: 'ประกวดราคาซื้อกล้อง 1',
        method: 'ประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
        label: 'ประกาศเชิญชวน',
        agency: '0304',
        published_on: '2026-11-23',
      },
    ])
    expect(await titles()).toHaveLength(3)
    // Two agencies with six announcement types each.
    expect(world.feed.queries).toHaveLength(12)
    expect(world.feed.parallel).toBe(0)
    expect(world.feed.closestMs).toBeGreaterThanOrEqual(4_000)
    expect([...world.server.agents]).toEqual([`tamngan/1.0 (+mailto:${CONTACT})`])
    expect(await nights()).toMatchObject([{ outcome: 'complete', requests: 12, answers: 12, newItems: 3 }])
    expect(await coverage()).toMatchObject({ agencies: 2, reached: 2, never: 0, missing: 0, waiting: 0 })
    expect(
      await db.query(
        sql`select p.name, d.name as agency from projects p join departments d on d.id = p.department_id where p.project_id = '69119000003'`,
      ),
    ).toEqual([{ name: 'ประกวดราคาซื้อกล้อง 3', agency: 'หน่วยงาน 0304' }])
    expect(await db.query(sql`select source, state from loads`)).toEqual([{ source: 'egp-rss', state: 'published' }])
    expect(await db.query(sql`select from intake_announcements where applied_at is null`)).toEqual([])
  })

  test('counts a response of invalid XML that was repaired once, at the load of its announcements', async () => {
    await start(['0304'])
    world.publish(2, { at: at('23T11:00'), title: 'ซื้อสาย A & B', isUnescaped: true })
    await live('2026-11-24T09:00:00+07:00')
    expect(await titles()).toEqual(['ซื้อสาย A & B', 'ซื้อสาย A & B'])
    const counts = await db.query<{ doubts: unknown }>(sql`select doubts from loads where state = 'published'`)
    expect(counts).toEqual([{ doubts: { file_layout: 1 } }])
    world.publish(1, { at: at('24T10:00') })
    await live('2026-11-25T09:00:00+07:00')
    // The old titles are still in the response, which is repaired and counted again.
    expect(await db.query(sql`select doubts from loads where doubts <> '{}'`)).toHaveLength(2)
  })

  test('stores a repeated notice once; another title under the same link is a change', async () => {
    await start(['0304'])
    world.publish(2, { at: at('23T11:00') })
    await live('2026-11-24T09:00:00+07:00')
    world.feed.retitle('69119000002', 'ประกวดราคาซื้อกล้อง (แก้ไข)')
    world.publish(1, { at: at('24T10:00') })
    await live('2026-11-25T09:00:00+07:00')
    expect(await titles()).toEqual(['ประกวดราคาซื้อกล้อง 1', 'ประกวดราคาซื้อกล้อง (แก้ไข)', 'ประกวดราคาซื้อกล้อง 3'])
    expect((await nights()).map(({ newItems, changedItems }) => [newItems, changedItems])).toEqual([
      [1, 1],
      [2, 0],
    ])
    expect(await db.query(sql`select project_id from intake_announcements where changed_at is not null`)).toEqual([
      { project_id: '69119000002' },
    ])
  })

  test('splits a full response by day and unit, and counts what remains unreachable', async () => {
    await start(['0304'])
    await db.execute(sql`insert into intake_units (agency, code) values ('0304', '0304000001')`)
    world.publish(15, { at: at('21T11:00') })
    world.publish(25, { at: at('22T11:00') })
    world.publish(15, { at: at('23T11:00'), unit: '0304000001' })
    world.publish(15, { at: at('23T12:00') })
    await live('2026-11-24T09:00:00+07:00')
    // On 22 November 20 of 25 announcements are found, because no unit is known for the rest. On 23 November all are
    // found: 15 of the unit and 15 others.
    expect(await titles()).toHaveLength(15 + 20 + 15 + 15)
    expect(await coverage()).toMatchObject({ missing: 5, incomplete: 1, waiting: 0 })
    expect(await db.query(sql`select day, expected, found from intake_gaps where found < expected`)).toEqual([
      { day: '2026-11-22', expected: 25, found: 20 },
    ])
    expect(world.feed.queries.filter(({ unit }) => unit !== '').map(({ day }) => day)).toContain('2026-11-23')
  })

  test('after 429 pauses 5, 15 and 45 minutes, and then until the next night', async () => {
    await start(['0304'])
    await db.script(`
      insert into organisations (code, name, package, customer_config, areas_with_provinces) values ('operation', 'operation', '-', '{}', '{}');
      insert into users (organisation_id, email, email_key, password_hash, role) select id, 'it@x.example', 'it@x.example', '-', 'operator' from organisations`)
    world.feed.fault = 'tooMany'
    await live('2026-11-24T08:00:00+07:00')
    expect(world.mails).toContainEqual({ to: 'it@x.example', subject: 'คืนวันที่ 23/11/2569 ดึงข้อมูลจาก egp-rss ไม่สำเร็จ' })
    await db.script("delete from users where role = 'operator'")
    const gaps = world.feed.queries.map(({ at }, index, all) =>
      index === 0 ? 0 : Math.round((at - all[index - 1]!.at) / 60_000),
    )
    expect(gaps).toEqual([0, 5, 15, 45])
    expect(await nights()).toMatchObject([{ outcome: 'refused', refusals: 4 }])
    world.feed.fault = undefined
    world.publish(1, { at: at('23T11:00') })
    await live('2026-11-25T08:00:00+07:00')
    expect(await titles()).toHaveLength(1)
  })

  test('an HTML page halts the source and alerts the operator; no request follows until it is re-enabled', async () => {
    await start(['0304', '1700'])
    world.feed.fault = 'html'
    await live('2026-11-26T08:00:00+07:00')
    expect(world.feed.queries).toHaveLength(1)
    expect(await source()).toMatchObject({ haltedReason: 'received a web page instead of the feed' })
    expect(world.mails).toEqual([{ to: CONTACT, subject: 'หยุดดึงข้อมูลจาก egp-rss: ต้นทางปฏิเสธ' }])
    expect(await jobsOf(db, 'intake')).toMatchObject([{ state: 'done' }])
    await expect(runIntake(db, { command: 'run', source: SOURCE }, world.clock.now())).rejects.toThrow(
      'halted after a refusal',
    )
    world.feed.fault = undefined
    await runIntake(db, { command: 'on', source: SOURCE, changes: {} }, world.clock.now())
    await live('2026-11-27T08:00:00+07:00')
    expect(await nights()).toMatchObject(
      [{ outcome: 'complete' }, { outcome: 'complete' }, { outcome: 'halted' }].slice(0, (await nights()).length),
    )
    expect(world.feed.queries.length).toBeGreaterThan(12)
  })

  test('moves a hanging agency to the end of the queue, and after three nights sends it one query', async () => {
    await start(['0101', '0304', '1700'])
    world.feed.hanging.add('0101')
    world.publish(1, { agency: '1700', at: at('23T11:00') })
    await live('2026-11-24T09:00:00+07:00')
    expect(await titles()).toHaveLength(1)
    expect(await nights()).toMatchObject([{ outcome: 'complete', answers: 12, timeouts: 2 }])
    await live('2026-11-27T09:00:00+07:00')
    expect((await nights())[0]).toMatchObject({ outcome: 'complete', timeouts: 2 })
    expect(await db.query(sql`select code, hung_nights from intake_agencies where hung_nights > 0`)).toEqual([
      { code: '0101', hung_nights: 4 },
    ])
  })

  test('five timeouts in a row count as closed: one query per half hour, then it resumes where it was', async () => {
    await start(['0101', '0304', '0506', '0703', '1203', '1700'])
    world.publish(1, { agency: '1700', at: at('23T11:00') })
    world.feed.fault = 'hang'
    world.feed.faultAfter = 12
    await live('2026-11-23T21:00:00+07:00')
    // The feed answers twelve requests, then five in a row time out. After that, one request is retried every half hour
    // until 21:00.
    const { requests } = (await nights())[0]!
    expect(requests).toBe(12 + 5 + 6)
    expect(await source()).toMatchObject({ timeoutsInRow: 5 })
    world.feed.fault = undefined
    await live('2026-11-24T09:00:00+07:00')
    expect((await nights())[0]).toMatchObject({ outcome: 'complete' })
    expect(await titles()).toHaveLength(1)
  })

  test('sends only one query at noon by day; queries missed at night run the next night', async () => {
    const many = Array.from({ length: 40 }, (_, n) => String(3_000_000 + n))
    await start(many, '2026-11-24T08:25:00+07:00')
    world.publish(1, { agency: many[39]!, at: at('23T11:00') })
    await live('2026-11-24T17:00:00+07:00')
    const requestCount = world.feed.queries.length
    expect(requestCount).toBeLessThan(75 + 1)
    expect(world.feed.queries.at(-1)!.at).toBe(at('24T12:00').getTime())
    expect(await source()).toMatchObject({ probeAnswered: false })
    expect((await nights())[0]).toMatchObject({ outcome: 'cut_short' })
    await live('2026-11-25T08:00:00+07:00')
    expect(await titles()).toHaveLength(1)
    expect(
      world.feed.queries.filter(
        ({ at }) => at > Date.parse('2026-11-24T08:30:00+07:00') && at < Date.parse('2026-11-24T17:30:00+07:00'),
      ),
    ).toHaveLength(1)
  })

  test('a night that leaves only deferrable queries is complete; they run the next night', async () => {
    await start(
      Array.from({ length: 1_000 }, (_, n) => String(3_000_000 + n)),
      '2026-11-24T08:20:00+07:00',
    )
    world.clock.pass(15_000)
    await turn()
    expect((await nights())[0]).toMatchObject({ outcome: 'cut_short' })
    // On the next night only the winners of tier B are due, because they were last queried three nights ago. Ten
    // minutes are too short for a thousand requests.
    await db.execute(sql`
      update intake_queries q set asked_on = case when a.tier = 'B' and q.type = 'W0' then date '2026-11-21' else date '2026-11-24' end
      from intake_agencies a where a.code = q.agency`)
    world.clock.passUntil(at('25T08:20'))
    await turn()
    expect((await nights())[0]).toMatchObject({ night: '2026-11-24', outcome: 'complete', planned: 500 })
    expect((await coverage()).waiting).toBeGreaterThan(300)
  })

  test('clock changes never shorten the pause between two requests', async () => {
    await start(['0304', '1700'])
    const createRealClient = world.parts.intake.createFeedClient
    const elapsed: number[] = []
    let calls = 0
    const parts = {
      intake: {
        ...world.parts.intake,
        createFeedClient: (settings: Parameters<typeof createRealClient>[0]) => {
          const real = createRealClient(settings)
          return async (...question: Parameters<typeof real>) => {
            elapsed.push(world.clock.elapsed())
            calls += 1
            if (calls === 2) world.clock.step(2 * 3_600_000)
            if (calls === 4) world.clock.step((-3 * 3_600_000) / 2)
            return await real(...question)
          }
        },
      },
    }
    world.clock.pass(15_000)
    await runDue(intakeJob, { db, now: world.clock.now, parts })
    expect(calls).toBe(12)
    const gaps = elapsed.slice(1).map((at, index) => at - elapsed[index]!)
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4_000)
    expect(Math.max(...gaps)).toBeLessThan(10_000)
  })

  test('two workers fetch as one, and a source that is switched off sends nothing', async () => {
    await start(['0304', '1700'])
    world.clock.pass(15_000)
    await Promise.all([turn(), turn(), turn()])
    expect(world.feed.queries).toHaveLength(12)
    expect(world.feed.parallel).toBe(0)
    await runIntake(db, { command: 'off', source: SOURCE }, world.clock.now())
    await live('2026-11-26T08:00:00+07:00')
    expect(world.feed.queries).toHaveLength(12)
  })
})
