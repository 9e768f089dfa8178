import sql from 'sql-template-tag'
import { beforeEach, expect, test } from 'vitest'
import { addDays } from '#contract/thai/thai-date.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { onEachEngineInTurn } from '../../test/server/databases.ts'
import { addLoad, putProjects } from '../../test/world/report-world.ts'
import { seedPursuits } from './seed-pursuits.ts'
import { seedSampleOrganisations } from './seed-sample.ts'

const TODAY = '2026-11-21'

onEachEngineInTurn('the team of the sample', (makeDb) => {
  let db: OpenDb
  beforeEach(async () => {
    db = await makeDb()
    await seedSampleOrganisations(db, TODAY)
  })

  const putTenders = async () => {
    const load = await addLoad(db)
    const tender = { name: 'ซื้อกล้องวงจรปิด', deptProvince: 10, province: 10, budget: 1_000_000_00, estimate: 900_000_00 }
    const many = (first: number, days: object) =>
      Array.from({ length: 8 }, (_, i) => ({ ...tender, ...days, id: `6900000${first + i}` }))
    await putProjects(db, load, [
      ...many(1000, { submissionEndsOn: addDays(TODAY, 9), movementOn: addDays(TODAY, -9) }),
      ...many(2000, { submissionEndsOn: addDays(TODAY, -20) }),
      ...many(3000, {
        submissionEndsOn: addDays(TODAY, -40),
        winnerAnnouncedOn: addDays(TODAY, -30),
        winner: 'บริษัท อื่น จำกัด',
        winning: 800_000_00,
        isArchived: true,
      }),
    ])
    await db.transaction((tx) => matchDataLoadProjects(tx, load))
  }
  const stages = () =>
    db.query<{ stage: string; count: number }>(
      sql`select stage, count(*)::int as count from pursuits group by stage order by stage`,
    )

  test('does nothing without tenders', async () => {
    await seedPursuits(db, TODAY)
    expect(await stages()).toEqual([])
  })

  test('fills every stage once, each step before today and before the end of its project', async () => {
    await putTenders()
    await seedPursuits(db, TODAY)
    const first = await stages()
    expect(Object.fromEntries(first.map(({ stage, count }) => [stage, count]))).toEqual({
      screened: 2,
      pricing: 2,
      deciding: 1,
      preparing: 2,
      submitted: 2,
      won: 3,
      lost: 3,
      declined: 3,
    })
    const [late] = await db.query(sql`
      select e.* from pursuit_events e join projects p using (project_id)
      where e.at::date >= ${TODAY}::date or e.at::date > coalesce(p.winner_announced_on, p.submission_ends_on)`)
    expect(late).toBeUndefined()
    await seedPursuits(db, TODAY)
    expect(await stages()).toEqual(first)
  })

  test('bids lost on price are above the winning price', async () => {
    await putTenders()
    await seedPursuits(db, TODAY)
    const lost = await db.query<{ price: number; reason: string }>(
      sql`select price_satang / 100 as price, lost_reason as reason from pursuits where stage = 'lost' order by 1`,
    )
    expect(lost).toEqual([
      { price: 784_000, reason: 'เอกสารรับรองผลงานไม่ครบ' },
      { price: 832_000, reason: 'ราคาสูงกว่าผู้ชนะ' },
      { price: 872_000, reason: 'ราคาสูงกว่าผู้ชนะ' },
    ])
  })

  test('leaves a team with its own pursuits alone', async () => {
    await putTenders()
    await db.execute(sql`
      insert into pursuit_events (organisation_id, id, project_id, at, action)
      select id, 1, '69000001000', now(), 'set_stage' from organisations where code = 'tharamek'`)
    await seedPursuits(db, TODAY)
    expect(await stages()).toEqual([])
  })
})
