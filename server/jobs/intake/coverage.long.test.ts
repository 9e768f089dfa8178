import sql from 'sql-template-tag'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { CoverageFigures, CoverageMisses } from '#contract/catalogue/coverage.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { loadCoverage, loadCoverageCalendar } from '#server/catalogue/announcement-coverage/build-coverage.ts'
import { listCoverageMisses } from '#server/catalogue/announcement-coverage/list-misses.ts'
import { findFeedAgencyCodes, listCoverageNights, listReach } from '#server/catalogue/announcement-coverage/queries.ts'
import { replaceAgencyDirectory } from '#server/catalogue/department/queries.ts'
import { replaceFeedAgencies } from '#server/catalogue/intake/replace-agencies.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngine } from '../../../test/server/databases.ts'
import { makeIntakeWorld } from '../../../test/world/intake-world.ts'
import { intakeJob } from './intake-job.ts'

/** A Monday; on the last night, the feed answers for the days from 24 October on. */
const FIRST_NIGHT = '2026-09-14'
const LAST_NIGHT = '2026-11-23'
const STORED_THROUGH = '2026-10-23'
/** A Thursday of which figures are stored for good, and a Thursday and a Friday of the last two weeks. */
const FAILED_NIGHTS = ['2026-10-08', '2026-11-12', '2026-11-20']
const [MINISTRY, ENTERPRISE, LOCAL, SILENT, AWAY] = ['0304', '1700', '3501001', '3501002', '3501003'] as const
const AGENCIES = [MINISTRY, ENTERPRISE, LOCAL, SILENT, AWAY]
/** The agency of this code answers nothing from this evening on. */
const SILENT_FROM = '2026-11-18'
/** This agency answers nothing for six weeks. By then, the feed no longer answers for the days before `REACHED_FROM`. */
const AWAY_FROM = '2026-09-16'
const BACK_ON = '2026-10-28'
const REACHED_FROM = '2026-09-28'
const isLost = ({ agency, day }: Pick<Published, 'agency' | 'day'>) =>
  agency === AWAY && AWAY_FROM <= day && day < REACHED_FROM
const CHIANG_MAI = 50
const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
const eachDay = (from: string, to: string) => {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

/** What the simulation published, and on which morning it must have arrived. */
type Published = { readonly id: string; readonly agency: string; readonly day: string; readonly mornings: number }

onEachEngine('the coverage of a simulated month', (makeDb) => {
  let db: OpenDb
  let world: Awaited<ReturnType<typeof makeIntakeWorld>>
  beforeAll(async () => {
    db = await makeDb()
  })
  afterEach(() => world.server.close())

  async function live(until: Date): Promise<void> {
    for (;;) {
      const [job] = await db.query<{ at: string }>(
        sql`select run_at as at from jobs where kind = 'intake' and state = 'waiting'`,
      )
      if (!job || new Date(job.at) > until) break
      world.clock.passUntil(new Date(job.at))
      await runDue(intakeJob, { db, now: world.clock.now, parts: world.parts })
    }
    world.clock.passUntil(until)
  }

  /** Nights until an invitation of `day` arrives: the next night that answered. Nothing is published at weekends. */
  function morningsUntilReceived(agency: string, day: string): number {
    const isUnanswered = (night: string) =>
      FAILED_NIGHTS.includes(night) || (agency === AWAY && AWAY_FROM <= night && night < BACK_ON)
    let mornings = 1
    while (isUnanswered(addDays(day, mornings - 1))) mornings += 1
    return mornings
  }

  test('equals what the simulation published and received, to the item, with failed nights, also after its rows are deleted', async () => {
    world = await makeIntakeWorld(db, { at: `${FIRST_NIGHT}T09:00:00+07:00`, agencies: AGENCIES })
    await db.transaction((tx) =>
      replaceAgencyDirectory(
        tx,
        [
          { name_key: `หน่วยงาน${MINISTRY}`, name: `หน่วยงาน ${MINISTRY}`, ministry: 'กระทรวงคมนาคม', province: null },
          {
            name_key: `หน่วยงาน${ENTERPRISE}`,
            name: `หน่วยงาน ${ENTERPRISE}`,
            ministry: 'รัฐวิสาหกิจนอกตลาดหลักทรัพย์',
            province: null,
          },
        ],
        AGENCIES.map((code) => ({
          ...{ code, name: `หน่วยงาน ${code}` },
          province: code.length === 7 ? CHIANG_MAI : null,
        })),
        world.clock.now(),
      ),
    )
    await db.execute(sql`update intake_agencies set name_key = replace(name, ' ', '')`)
    const published: Published[] = []
    const publish = (agency: string, day: string, over: { readonly title?: string } = {}) => {
      const id = String(69_119_000_001 + published.length)
      published.push({ id, agency, day, mornings: morningsUntilReceived(agency, day) })
      world.feed.publish({
        ...{ agency, type: 'D0', projectId: id, title: `ประกวดราคาซื้อกล้อง ${id}` },
        ...{ at: new Date(`${day}T11:00:00+07:00`), ...over },
      })
      return id
    }
    const unlistedDay = '2026-11-16'
    const unlistedCount = 25
    for (const [index, day] of eachDay(FIRST_NIGHT, LAST_NIGHT).entries()) {
      if (!isWeekend(day)) {
        publish(MINISTRY, day)
        if (index % 2 === 0) publish(LOCAL, day)
        if (index % 3 === 0) publish(SILENT, day)
        if (index % 4 === 0) publish(AWAY, day)
      }
    }
    // The feed lists the newest 20 of a day, and no unit is known that would list the others.
    const storedUnlistedDay = '2026-10-05'
    for (let n = 0; n < unlistedCount; n += 1)
      for (const day of [unlistedDay, storedUnlistedDay]) publish(ENTERPRISE, day)
    const quarantinedDay = '2026-11-17'
    const quarantined = publish(LOCAL, quarantinedDay, { title: '<b></b>' })
    for (const night of eachDay(FIRST_NIGHT, LAST_NIGHT)) {
      world.feed.fault = FAILED_NIGHTS.includes(night) ? 'tooMany' : undefined
      if (night === SILENT_FROM) world.feed.hanging.add(SILENT)
      if (night === AWAY_FROM) world.feed.hanging.add(AWAY)
      if (night === BACK_ON) world.feed.hanging.delete(AWAY)
      await live(new Date(`${addDays(night, 1)}T08:35:00+07:00`))
    }

    const now = world.clock.now()
    const nights = await listCoverageNights(db)
    const calendar = await loadCoverageCalendar(db, now)
    const { series, groups } = await loadCoverage(db, calendar)
    expect(nights.filter(({ outcome }) => outcome !== 'complete').map(({ night }) => night)).toEqual(FAILED_NIGHTS)
    expect(series.agencies).toBe(AGENCIES.length)
    expect(series.days.map(({ day }) => day)).toEqual(eachDay('2026-11-10', LAST_NIGHT).toReversed())

    const isReceived = (item: Published) => !isLost(item) && (item.agency !== SILENT || item.day < SILENT_FROM)
    const unlisted = unlistedCount - 20
    const figuresOf = (from: string, to: string, agencies: readonly string[] = AGENCIES): CoverageFigures => {
      const listed = published
        .filter(({ agency, day }) => from <= day && day <= to && agencies.includes(agency))
        .filter((item) => isReceived(item))
      const unlistedDays = [unlistedDay, storedUnlistedDay].filter((day) => from <= day && day <= to)
      const lost = agencies.includes(ENTERPRISE) ? unlistedDays.length * unlisted : 0
      const arrived = listed.filter(({ id }) => id !== quarantined)
      const by = (mornings: number) => arrived.filter((item) => item.mornings <= mornings).length - lost
      const isAway = agencies.includes(AWAY) && from < REACHED_FROM && to >= AWAY_FROM
      const unknown = (agencies.includes(SILENT) && to >= SILENT_FROM ? 1 : 0) + (isAway ? 1 : 0)
      return {
        counted: unknown === agencies.length ? null : listed.length,
        had: arrived.length - lost,
        by_first_morning: by(1),
        by_second_morning: by(2),
        unknown_agencies: unknown,
      }
    }
    for (const { day, night, ...figures } of series.days) {
      expect({ day, ...figures }).toEqual({
        ...{ day, ...figuresOf(day, day) },
        ...(day === LAST_NIGHT && { by_second_morning: null }),
      })
      expect([day, night.outcome]).toEqual([day, FAILED_NIGHTS.includes(day) ? 'refused' : 'complete'])
    }
    expect(series.months).toEqual([
      { from: '2026-11-01', to: LAST_NIGHT, ...figuresOf('2026-11-01', LAST_NIGHT), nights: 23, failed_nights: 2 },
      { from: '2026-10-01', to: '2026-10-31', ...figuresOf('2026-10-01', '2026-10-31'), nights: 31, failed_nights: 1 },
      { from: FIRST_NIGHT, to: '2026-09-30', ...figuresOf(FIRST_NIGHT, '2026-09-30'), nights: 17, failed_nights: 0 },
    ])
    expect(groups).toEqual(
      (
        [
          ['ministry', null, [MINISTRY]],
          ['state_enterprise', null, [ENTERPRISE]],
          ['local', 'เชียงใหม่', [LOCAL, SILENT, AWAY]],
        ] as const
      ).map(([kind, province, agencies]) => ({
        ...{ kind, province, agencies: agencies.length },
        days: figuresOf('2026-11-10', LAST_NIGHT, agencies),
        months: figuresOf(FIRST_NIGHT, LAST_NIGHT, agencies),
      })),
    )

    const missesOf = (day: string): Promise<CoverageMisses> => listCoverageMisses(db, day, undefined)
    for (const { day } of series.days) {
      const late = published.filter(
        (item) => item.day === day && isReceived(item) && item.agency !== ENTERPRISE && item.mornings > 1,
      )
      const misses = await missesOf(day)
      const expectedIds = [...late.map(({ id }) => id), ...(day === quarantinedDay ? [quarantined] : [])]
      expect(misses.items.map(({ project_id }) => project_id).toSorted()).toEqual(expectedIds.toSorted())
      expect(misses.total).toBe(expectedIds.length)
      expect(new Set(misses.items.map(({ reason }) => reason))).toEqual(
        new Set([...(late.length > 0 ? ['night_refused'] : []), ...(day === quarantinedDay ? ['quarantined'] : [])]),
      )
      expect(misses.unlisted).toEqual(
        day === unlistedDay ? [{ agency: `หน่วยงาน ${ENTERPRISE}`, counted: unlistedCount, missing: unlisted }] : [],
      )
      expect(misses.unknown.map(({ agency, reason }) => [agency, reason])).toEqual(
        day >= SILENT_FROM ? [[`หน่วยงาน ${SILENT}`, 'not_answering']] : [],
      )
    }
    expect((await missesOf(quarantinedDay)).items[0]).toMatchObject({
      ...{ project_id: quarantined, received_at: null },
      detail: 'ไม่มีชื่อโครงการ (title)',
    })

    expect(await missesOf('2026-09-24')).toMatchObject({
      total: 0,
      unknown: [{ agency: `หน่วยงาน ${AWAY}`, reason: 'not_asked' }],
    })
    expect((await missesOf(storedUnlistedDay)).unlisted).toEqual([
      { agency: `หน่วยงาน ${ENTERPRISE}`, counted: unlistedCount, missing: unlisted },
    ])
    expect(calendar.countsSince).toBe(FIRST_NIGHT)

    const codes = await findFeedAgencyCodes(db, [{ name: `หน่วยงาน ${LOCAL}`, province: null }])
    const followed = (await loadCoverage(db, calendar, codes)).series
    expect(codes).toEqual([LOCAL])
    expect(followed.days.map(({ day, counted, had }) => [day, counted, had])).toEqual(
      followed.days.map(({ day }) => {
        const { counted, had } = figuresOf(day, day, [LOCAL])
        return [day, counted, had]
      }),
    )
    expect(await listCoverageMisses(db, FAILED_NIGHTS[1]!, [ENTERPRISE])).toMatchObject({ total: 0, unknown: [] })

    await db.execute(sql`
      delete from projects where project_id in (select project_id from intake_announcements where published_on <= ${STORED_THROUGH}::date)`)
    await db.execute(sql`delete from intake_announcements where published_on <= ${STORED_THROUGH}::date`)
    expect(await loadCoverage(db, calendar)).toEqual({ series, groups })
  }, 600_000)

  test('is unknown, not zero, before the first night and for agencies that never answered', async () => {
    world = await makeIntakeWorld(db, { at: '2026-11-23T17:31:00+07:00', agencies: [MINISTRY] })
    world.feed.hanging.add(MINISTRY)
    await live(new Date('2026-11-24T09:00:00+07:00'))
    const calendar = await loadCoverageCalendar(db, world.clock.now())
    const { series } = await loadCoverage(db, calendar)
    expect(series.days.map(({ counted }) => counted)).toEqual(series.days.map(() => null))
    expect(series.days[0]).toMatchObject({ day: '2026-11-23', unknown_agencies: 1 })
    expect(series.days[1]!.night.outcome).toBe('none')
    expect((await listCoverageMisses(db, '2026-11-23', undefined)).unknown).toEqual([
      { agency: `หน่วยงาน ${MINISTRY}`, answered_at: null, reason: 'never_answered' },
    ])
  })

  test('probes other code lengths weekly, names the silent ones, and queries a length once it lists something', async () => {
    const towns = ['350100101', '350100102', '350100103', '350100104']
    const ship = '17'
    world = await makeIntakeWorld(db, { at: '2026-11-02T17:31:00+07:00', agencies: [MINISTRY, LOCAL, ship, ...towns] })
    for (const code of towns) world.feed.hanging.add(code)
    const probed = async () =>
      (
        await db.query<{ agency: string; on: string; outcome: string }>(
          sql`select agency, probed_on as on, outcome from coverage_probes order by probed_on, length(agency), agency`,
        )
      ).map(({ agency, on, outcome }) => `${on} ${agency.length} ${outcome}`)
    const reachOf = async (digits: number) =>
      (await listReach(db, world.clock.now())).filter((row) => row.digits === digits)
    const first = ['2026-11-02 2 empty', ...Array(3).fill('2026-11-02 9 silent')]
    await live(new Date('2026-11-09T09:00:00+07:00'))
    expect(await probed()).toEqual(first)
    expect(await reachOf(9)).toEqual([
      {
        ...{ kind: 'other', digits: 9, agencies: 4, is_queried: false, answered: 0, listed: 0 },
        probe: { on: '2026-11-02', outcome: 'silent' },
      },
    ])
    expect(await reachOf(7)).toMatchObject([{ is_queried: true, agencies: 1, answered: 1, listed: 0, probe: null }])
    expect(await reachOf(2)).toMatchObject([{ is_queried: false, probe: { outcome: 'empty' } }])

    for (const code of towns) {
      world.feed.hanging.delete(code)
      world.feed.publish({
        ...{ agency: code, type: 'D0', projectId: `6911900${code.slice(-4)}`, title: 'ประกวดราคาซื้อกล้อง' },
        at: new Date('2026-11-09T11:00:00+07:00'),
      })
    }
    await live(new Date('2026-11-11T09:00:00+07:00'))
    expect((await probed()).slice(first.length)).toEqual(['2026-11-09 2 empty', '2026-11-09 9 listed'])
    expect(await reachOf(9)).toMatchObject([{ is_queried: true, agencies: 4, answered: 4, listed: 4 }])
    await db.transaction((tx) =>
      replaceFeedAgencies(
        tx,
        [MINISTRY, ...towns].map((code) => ({ code, name: `หน่วยงาน ${code}` })),
      ),
    )
    expect(await reachOf(9)).toMatchObject([{ is_queried: true, agencies: 4 }])
  })
})
