import fc from 'fast-check'
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { CONTRACTOR_GRADES, EMPTY_QUALIFICATIONS, type Qualifications } from '#contract/account/qualification.ts'
import { PROCUREMENT_METHOD_TYPES, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { decideEligibility, type EligibilityProject, listEligibilityThresholds } from '#contract/report/eligibility.ts'
import { ELIGIBILITY_VERDICTS } from '#contract/report/eligibility-verdict.ts'
import { addDays } from '#contract/thai/thai-date.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { eligibilityVerdictSql } from '#server/report/match-sql.ts'
import { onEachEngine, roundsOn } from '../../../test/server/databases.ts'
import { addPopulation, TODAY } from '../../../test/world/report-population.ts'
import { getEligibilityKey, getEligibilityTable } from './eligibility-table.ts'

const MILLION = 1_000_000
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 3 })
const baht = fc.oneof(
  fc.constantFrom(0.01, 25_000.13, 125_000, 500_000, MILLION, 5 * MILLION, 75 * MILLION, 125 * MILLION),
  fc.integer({ min: 1, max: 2_000_000_000 }).map((satang) => satang / 100),
)
const dayNear = (around: string) => fc.integer({ min: -400, max: 400 }).map((days) => addDays(around, days))

const anyBidder: fc.Arbitrary<Qualifications> = fc
  .record({
    bidder_kind: orNull(fc.constantFrom('company' as const, 'new_company' as const, 'person' as const)),
    net_worth: orNull(fc.constantFrom(-MILLION, 0, 0.01, MILLION)),
    paid_capital: orNull(fc.oneof(baht, fc.constantFrom(2 * MILLION, 3 * MILLION, 20 * MILLION, 200 * MILLION))),
    credit_line: orNull(baht),
    credit_letter_on: orNull(dayNear(TODAY)),
    has_anti_corruption_policy: orNull(fc.boolean()),
    suspended_until: orNull(dayNear(TODAY)),
    classes: fc.array(fc.record({ branch: fc.constant('งานทาง'), grade: fc.constantFrom(...CONTRACTOR_GRADES) }), {
      maxLength: 1,
    }),
  })
  .map((answers) => ({ ...EMPTY_QUALIFICATIONS, ...answers }))

/** A project near the thresholds of the bidder. */
function projectNear(bidder: Qualifications): fc.Arbitrary<EligibilityProject> {
  const { budgets, announcedOn, submittedOn } = listEligibilityThresholds(bidder)
  const day = (thresholds: readonly string[]) =>
    fc
      .tuple(fc.constantFrom(TODAY, ...thresholds), fc.integer({ min: -1, max: 1 }))
      .map(([threshold, days]) => addDays(threshold, days))
  return fc.record({
    method: fc.constantFrom(...PROCUREMENT_METHODS.map(({ code }) => code), 'วิธีใหม่'),
    method_type: fc.constantFrom(...PROCUREMENT_METHOD_TYPES.map(({ code }) => code), ''),
    budget: orNull(
      fc
        .tuple(fc.constantFrom(...budgets), fc.integer({ min: -2, max: 2 }))
        .map(([threshold, satang]) => Math.max(0, Math.round(threshold * 100) + satang) / 100),
    ),
    bidding_invite_date: orNull(day(announcedOn)),
    draft_published_date: orNull(day(announcedOn)),
    movement_date: orNull(day(announcedOn)),
    submission_end_date: orNull(day(submittedOn)),
  })
}

test('the table has the verdict of every project of any bidder', () => {
  fc.assert(
    fc.property(
      anyBidder.chain((bidder) => fc.tuple(fc.constant(bidder), fc.array(projectNear(bidder), { minLength: 20 }))),
      ([bidder, projects]) => {
        const table = getEligibilityTable(bidder, TODAY)
        for (const project of projects) {
          const [group, cell] = getEligibilityKey(table, project).split(' ').map(Number)
          const verdicts = table.groups[group!]!
          expect(ELIGIBILITY_VERDICTS[verdicts[verdicts.length === 1 ? 0 : cell!]!]!.code).toBe(
            decideEligibility(project, bidder, TODAY).verdict,
          )
        }
      },
    ),
    { numRuns: 300 },
  )
})

onEachEngine('verdicts in SQL', (makeDb) => {
  let db: OpenDb
  beforeAll(async () => {
    db = await makeDb()
    await addPopulation(db, matchDataLoadProjects)
  })

  test('equal the decisions of any bidder about every project', async () => {
    type Row = Omit<EligibilityProject, 'budget'> & { project_id: string; satang: number | null }
    const projects = await db.query<Row>(sql`
      select p.project_id, p.method, p.method_type, p.budget_satang as satang, p.bidding_invited_on as bidding_invite_date,
        p.draft_published_on as draft_published_date, p.movement_on as movement_date, p.submission_ends_on as submission_end_date
      from projects p`)
    const decided = new Set<string>()
    await fc.assert(
      fc.asyncProperty(anyBidder, async (bidder) => {
        const rows = await db.query<{ id: string; verdict: number }>(sql`
          select m.project_id as id, ${eligibilityVerdictSql(getEligibilityTable(bidder, TODAY))} as verdict from report_matches m`)
        const verdicts = new Map(rows.map(({ id, verdict }) => [id, ELIGIBILITY_VERDICTS[verdict]!.code]))
        for (const { project_id, satang, ...project } of projects) {
          const verdict = verdicts.get(project_id)
          if (verdict === undefined) continue
          decided.add(verdict)
          expect(verdict).toBe(
            decideEligibility({ ...project, budget: satang === null ? null : satang / 100 }, bidder, TODAY).verdict,
          )
        }
        expect(verdicts.size).toBeGreaterThan(100)
      }),
      { numRuns: roundsOn(db, 60) },
    )
    expect(decided).toEqual(new Set(ELIGIBILITY_VERDICTS.map(({ code }) => code)))
  })
})
