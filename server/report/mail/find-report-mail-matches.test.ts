import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { onEachEngineInTurn } from '../../../test/server/databases.ts'
import { emptyReportTables, publish, reportMailDependencies } from '../../../test/world/report-mail-world.ts'
import { setWords } from '../../../test/world/report-world.ts'
import { findReportMailMatches } from './find-report-mail-matches.ts'

const NOW = new Date('2026-11-21T03:00:00Z')
const id = (n: number) => String(69_119_000_000 + n)

onEachEngineInTurn('the projects of a report mail', (makeDb) => {
  test('lists the first new projects, and counts the others per search and tab', async () => {
    const db = await makeDb()
    await seedSampleOrganisations(db, '2026-11-21')
    await emptyReportTables(db)
    const [user] = await db.query<{ id: number; organisation: number }>(
      sql`select id, organisation_id as organisation from users where email = 'sales@tharamek.example'`,
    )
    await setWords(db, user!.organisation, { include: ['กล้อง'], exclude: [] })
    // Later numbers moved earlier. 1 to 12 are active, of which the odd ones are in Chiang Mai; 13 to 16 are archived.
    const load = await publish(
      db,
      Array.from({ length: 16 }, (_, i) => ({
        id: id(i + 1),
        name: `ซื้อกล้องวงจรปิด แห่งที่ ${i + 1}`,
        movementOn: `2026-10-${30 - i}`,
        isArchived: i >= 12,
        province: i % 2 === 0 ? 50 : 10,
        ...(i === 11 && { submissionEndsOn: '2026-11-24' }),
      })),
      { now: NOW },
    )
    const scope = { organisationId: user!.organisation, userId: user!.id, today: '2026-11-21' }
    const searches: readonly ReportSearch[] = [
      { project_province__in: { values: ['เชียงใหม่'], negated: false } },
      {},
      { is_archived: true },
    ]
    const find = (maxListedNew?: number) =>
      findReportMailMatches(db, reportMailDependencies.reader, {
        ...{ searches, scope, loadIds: [load], now: NOW, maxListedNew },
      })
    const idsOf = (numbers: readonly number[]) => numbers.map(id)
    const all = await find()
    expect(all.projects.map((project) => project.id)).toEqual(
      idsOf([12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16]),
    )
    expect(all.unlisted).toEqual({ active: 0, archived: 0 })
    const some = await find(3)
    // The first three of each search, of all together, and the project with a deadline.
    expect(some.projects.map((project) => project.id)).toEqual(idsOf([12, 1, 2, 3, 5, 13, 14, 15]))
    expect(some.bySearch).toEqual([
      { ids: idsOf([1, 3, 5]), unlisted: { active: 3, archived: 0 } },
      { ids: idsOf([12, 1, 2, 3, 5]), unlisted: { active: 7, archived: 0 } },
      { ids: idsOf([13, 14, 15]), unlisted: { active: 0, archived: 1 } },
    ])
    expect(some.unlisted).toEqual({ active: 7, archived: 1 })
  })
})
