import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createDb } from '#server/platform/engine/create-db.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { openPostgres } from '#server/platform/engine/postgres.ts'
import { SLOW_MACHINE_OPTIONS } from '../../../test/server/database-setup.ts'
import { makeMigratedPostgres } from '../../../test/server/databases.ts'
import { addLargeReport, type LargeReport, PROJECTS_PER_DEPARTMENT } from '../../../test/server/large-report.ts'
import { explainQueries, filterByRowsRead } from '../../../test/server/rows-read.ts'
import { findAgency } from './find-agency.ts'
import { loadAgencyFigureProjectIds } from './load-agency-figure-project-ids.ts'
import { presentAgency } from './present-agency.ts'

const DEPARTMENTS = 420
/**
 * Allows 35 index lookups per project of the agency; scanning the whole report would read twelve times as many rows.
 */
const MAX_ROWS = PROJECTS_PER_DEPARTMENT * 35

describe.skipIf(inject('postgres') === undefined)('an agency of a large report', () => {
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

  async function questionOf(search: { readonly scope?: 'watch' }) {
    const agency = (await findAgency(db, 'กรม 7'))!
    const { organisationId, userId } = report
    const scope = { organisationId, userId, today: '2026-11-21', visit: undefined }
    return { agency, search, scope: { ...scope, isMarket: search.scope === undefined }, hasPursuits: true }
  }

  test.each([{}, { scope: 'watch' }] as const)('%o reads only purchases of the agency', async (search) => {
    const question = await questionOf(search)
    const statements = await explainQueries(db, async (over) => {
      const answer = await presentAgency({ db: over }, question)
      expect([answer.projects, answer.by_group[0]?.n, answer.ours.matches]).toEqual(
        [0, 0, 0].map(() => PROJECTS_PER_DEPARTMENT),
      )
    })
    expect(statements.length).toBeGreaterThan(8)
    expect(filterByRowsRead(statements, MAX_ROWS)).toEqual([])
  })

  test.each(['found', 'decided', 'matches', 'group:', 'type:buy', 'timed', 'terminated', 'announced', 'unit:กรม 7'])(
    'looks up rows of %s only among its projects',
    async (rows) => {
      const question = await questionOf({ scope: 'watch' })
      const statements = await explainQueries(db, async (over) => {
        const figureIds = await loadAgencyFigureProjectIds({ db: over }, question, rows, 20)
        expect(figureIds?.ids.length).toBe(rows === 'terminated' ? 0 : 20)
      })
      expect(filterByRowsRead(statements, MAX_ROWS)).toEqual([])
    },
  )
})
