import sql from 'sql-template-tag'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { CoverageFigures, CoverageMisses } from '#contract/catalogue/coverage.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { buildCoverageCalendar, loadCoverage } from '#server/catalogue/announcement-coverage/build-coverage.ts'
import { listCoverageMisses } from '#server/catalogue/announcement-coverage/list-misses.ts'
import { findFeedAgencyCodes, listCoverageNights } from '#server/catalogue/announcement-coverage/queries.ts'
import { replaceAgencyDirectory } from '#server/catalogue/department/queries.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { runDue } from '../../../test/jobs.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { makeIntakeWorld } from '../../../test/world/intake-world.ts'
import { intakeJob } from './intake-job.ts'

/** A Monday; the month ends on a Tuesday. */
const FIRST_NIGHT = '2026-10-26'
const LAST_NIGHT = '2026-11-23'
/** A Thursday and the Friday two weeks later. */
const FAILED_NIGHTS = ['2026-11-12', '2026-11-20']
const [MINISTRY, ENTERPRISE, LOCAL, SILENT] = ['0304', '1700', '3501001', '3501002'] as const
const AGENCIES = [MINISTRY, ENTERPRISE, LOCAL, SILENT]
/** The agency of this code answers nothing from this evening on. */
const SILENT_FROM = '2026-11-18'
const CHIANG_MAI = 50
const isWeekend = (day: string) => [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
const eachDay = (from: string, to: string) => {
  const days: string[] = []
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day)
  return days
}

/** What the simulation published, and on which morning it must have arrived. */
type Published = { readonly id: string; readonly agency: string; readonly day: string; readonly mornings: number }

onEachEngineInTurn('the coverage of a simulated month', (makeDb) => {
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
  function morningsUntilReceived(day: string): number {
    let mornings = 1
    while (FAILED_NIGHTS.includes(addDays(day, mornings - 1))) mornings += 1
    return mornings
  }

  test('equals what the simulation published and received, to the item, with two failed nights', async () => {
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
      published.push({ id, agency, day, mornings: morningsUntilReceived(day) })
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
      }
    }
    // The feed lists the newest 20 of a day, and no unit is known that would list the others.
    for (let n = 0; n < unlistedCount; n += 1) publish(ENTERPRISE, unlistedDay)
    const quarantinedDay = '2026-11-17'
    const quarantined = publish(LOCAL, quarantinedDay, { title: '<b></b>' })
    for (const night of eachDay(FIRST_NIGHT, LAST_NIGHT)) {
      world.feed.fault = FAILED_NIGHTS.includes(night) ? 'tooMany' : undefined
      if (night === SILENT_FROM) world.feed.hanging.add(SILENT)
      await live(new Date(`${addDays(night, 1)}T08:35:00+07:00`))
    }

    const now = world.clock.now()
    const nights = await listCoverageNights(db)
    const calendar = buildCoverageCalendar(nights, now)
    const { series, groups } = await loadCoverage(db, calendar)
    expect(nights.filter(({ outcome }) => outcome !== 'complete').map(({ night }) => night)).toEqual(FAILED_NIGHTS)
    expect(series.agencies).toBe(AGENCIES.length)
    expect(series.days.map(({ day }) => day)).toEqual(eachDay('2026-11-10', LAST_NIGHT).toReversed())

    const isReceived = ({ agency, day }: Published) => agency !== SILENT || day < SILENT_FROM
    const unlisted = unlistedCount - 20
    const figuresOf = (from: string, to: string, agencies: readonly string[] = AGENCIES): CoverageFigures => {
      const listed = published
        .filter(({ agency, day }) => from <= day && day <= to && agencies.includes(agency))
        .filter((item) => isReceived(item))
      const isUnlistedIn = from <= unlistedDay && unlistedDay <= to && agencies.includes(ENTERPRISE)
      const lost = isUnlistedIn ? unlisted : 0
      const arrived = listed.filter(({ id }) => id !== quarantined)
      const by = (mornings: number) => arrived.filter((item) => item.mornings <= mornings).length - lost
      const unknown = agencies.includes(SILENT) && to >= SILENT_FROM ? 1 : 0
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
      { from: FIRST_NIGHT, to: '2026-10-31', ...figuresOf(FIRST_NIGHT, '2026-10-31'), nights: 6, failed_nights: 0 },
    ])
    expect(groups).toEqual(
      (
        [
          ['ministry', null, [MINISTRY]],
          ['state_enterprise', null, [ENTERPRISE]],
          ['local', 'เชียงใหม่', [LOCAL, SILENT]],
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

    const codes = await findFeedAgencyCodes(db, [`หน่วยงาน ${LOCAL}`])
    const followed = (await loadCoverage(db, calendar, codes)).series
    expect(codes).toEqual([LOCAL])
    expect(followed.days.map(({ day, counted, had }) => [day, counted, had])).toEqual(
      followed.days.map(({ day }) => {
        const { counted, had } = figuresOf(day, day, [LOCAL])
        return [day, counted, had]
      }),
    )
    expect(await listCoverageMisses(db, FAILED_NIGHTS[0]!, [ENTERPRISE])).toMatchObject({ total: 0, unknown: [] })
  }, 300_000)

  test('is unknown, not zero, before the first night and for agencies that never answered', async () => {
    world = await makeIntakeWorld(db, { at: '2026-11-23T17:31:00+07:00', agencies: [MINISTRY] })
    world.feed.hanging.add(MINISTRY)
    await live(new Date('2026-11-24T09:00:00+07:00'))
    const calendar = buildCoverageCalendar(await listCoverageNights(db), world.clock.now())
    const { series } = await loadCoverage(db, calendar)
    expect(series.days.map(({ counted }) => counted)).toEqual(series.days.map(() => null))
    expect(series.days[0]).toMatchObject({ day: '2026-11-23', unknown_agencies: 1 })
    expect(series.days[1]!.night.outcome).toBe('none')
    expect((await listCoverageMisses(db, '2026-11-23', undefined)).unknown).toEqual([
      { agency: `หน่วยงาน ${MINISTRY}`, answered_at: null, reason: 'never_answered' },
    ])
  })
})
