import type { Sql } from 'sql-template-tag'
import type { Db } from '#server/platform/engine/db.ts'

export type Plan = { readonly Plans?: readonly Plan[]; readonly [figure: string]: unknown }

const DISCARDED = ['Rows Removed by Filter', 'Rows Removed by Index Recheck', 'Rows Removed by Join Filter'] as const
const figure = (plan: Plan, name: string) => Number(plan[name] ?? 0)

/**
 * Returns the number of rows that a query plan read from tables and functions, plus the row pairs that its joins
 * discarded.
 */
export function countRowsRead(plan: Plan): number {
  const below = (plan.Plans ?? []).reduce((sum, child) => sum + countRowsRead(child), 0)
  const isScan = /(?<!CTE |Subquery |Bitmap Index )Scan$/.test(String(plan['Node Type']))
  const discarded = DISCARDED.reduce((sum, name) => sum + figure(plan, name), 0)
  return below + ((isScan ? figure(plan, 'Actual Rows') : 0) + discarded) * Math.max(1, figure(plan, 'Actual Loops'))
}

export const countPagesRead = (plan: Plan): number =>
  figure(plan, 'Shared Hit Blocks') + figure(plan, 'Shared Read Blocks')

type Explained = { readonly text: string; readonly rows: number }

/**
 * Runs `work` on a database that explains each query before answering it, and returns what each one read. PostgreSQL
 * only.
 */
export async function explainQueries(db: Db, work: (db: Db) => Promise<unknown>): Promise<Explained[]> {
  const statements: Explained[] = []
  const over = <D extends Db>(inner: D): D => ({
    ...inner,
    async query(statement: Sql, options?: object) {
      const { text, values } = statement
      const [row] = await inner.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>({
        text: `explain (analyze, timing off, format json) ${text}`,
        values,
      } as unknown as Sql)
      statements.push({ text: text.replace(/\s+/g, ' ').trim(), rows: countRowsRead(row!['QUERY PLAN'][0].Plan) })
      return await inner.query(statement, options)
    },
    transaction: (body: (tx: Db) => Promise<unknown>, options?: object) =>
      inner.transaction((tx) => body(over(tx)), options),
  })
  await work(over(db))
  return statements
}

export const filterByRowsRead = (statements: readonly Explained[], rows: number): Explained[] =>
  statements.filter((statement) => statement.rows > rows)
