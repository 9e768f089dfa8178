import sql from 'sql-template-tag'
import { createSeededRandom } from '../world/seeded.ts'
import { type Compared, createComparison, type Draw, type FiguresContext, type RecomputedWorld } from './compared.ts'
import { compareComparisonAnswers } from './equal-companies.ts'
import { compareAgencies, compareQuestions } from './equal-market.ts'
import type { RawYear } from './raw-facts.ts'

export async function* compareFigures(context: FiguresContext, year: RawYear, draw: Draw): AsyncGenerator<Compared> {
  const keys = await context.db.query<{ id: number; key: string }>(sql`select c.id, c.key from companies c`)
  const idOf = new Map(keys.map(({ id, key }) => [key, id]))
  const keyOf = new Map(keys.map(({ id, key }) => [id, key]))
  const world: RecomputedWorld = {
    ...context,
    year,
    idOf,
    keyOf,
    factsOf: Map.groupBy(year.facts, ({ company }) => company),
    next: createSeededRandom(draw.seed),
  }
  const stored = await context.db.query<{ key: string; facts: number }>(
    sql`select c.key, count(*)::int as facts from company_projects f join companies c on c.id = f.company_id group by c.key`,
  )
  yield createComparison(
    'companies and their facts',
    [...world.factsOf].map(([key, facts]) => `${key} ${facts.length}`).toSorted(),
    stored.map(({ key, facts }) => `${key} ${facts}`).toSorted(),
  )
  yield* compareComparisonAnswers(world, draw)
  yield* compareAgencies(world, draw)
  yield* compareQuestions(world, draw)
}
