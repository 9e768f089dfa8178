import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { loadWonProjects } from '#server/market/who-wins/queries.ts'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { loadTeamResults } from '#server/team/results/queries.ts'
import { SLOW_MACHINE_OPTIONS } from './server/database-setup.ts'
import { makeMigratedPostgres } from './server/databases.ts'
import { addLargeReport, type LargeReport, PROJECTS_PER_DEPARTMENT } from './server/large-report.ts'
import { explainQueries, filterByRowsRead } from './server/rows-read.ts'

const DEPARTMENTS = 420
const ALL = DEPARTMENTS * PROJECTS_PER_DEPARTMENT

describe.skipIf(inject('postgres') === undefined)('lists of a large report', () => {
  let db: OpenDb
  let report: LargeReport
  let drop: () => Promise<void>

  beforeAll(async () => {
    const made = await makeMigratedPostgres()
    drop = made.drop
    db = createDb(await openPostgres(made.url, SLOW_MACHINE_OPTIONS))
    report = await addLargeReport(db, { departments: DEPARTMENTS })
  }, 120_000)
  afterAll(async () => {
    await db.close()
    await drop()
  })

  test('read only the matches of pursued projects for results, and of the rows for files', async () => {
    await db.execute(sql`
      insert into pursuits (organisation_id, project_id, stage, stage_since, created_at, changed_at)
      select ${report.organisationId}::int, p.project_id, 'won', now(), now(), now() from projects p order by p.project_id limit 40`)
    await db.script('analyze pursuits')
    const statements = await explainQueries(db, async (over) => {
      const results = await loadTeamResults(over, report.organisationId, { from: null, to: null })
      expect([results.length, results[0]?.words]).toEqual([40, ['กล้อง']])
      const projects = await loadWonProjects(
        over,
        results.map((row) => row.project_id),
        report.organisationId,
      )
      expect(projects.filter((row) => row.in_report)).toHaveLength(40)
    })
    expect(filterByRowsRead(statements, ALL / 4)).toEqual([])
  })
})
