import sql, { empty, type Sql } from 'sql-template-tag'
import type { Db } from '#server/engine/db.ts'
import {
  departmentIds,
  type FactScope,
  factConditions,
  sliceConditions,
} from '#server/features/company/company-scope.ts'

/** What departments spent in a scope, satang by name, natural persons' contracts included. Those of which no amount is known are left out. */
export async function loadSpending(
  db: Db,
  names: readonly string[],
  scope: FactScope,
): Promise<ReadonlyMap<string, number>> {
  if (names.length === 0) return new Map()
  const spent = await db.query<{ department: string; satang: number | null }>(sql`
    select d.name as department, sum(f.spent_satang)::bigint as satang
    from departments d join ${spendingIn(scope)}
    where d.name = any (${[...names]}::text[])
    group by d.name`)
  return new Map(spent.flatMap(({ department, satang }) => (satang === null ? [] : [[department, satang] as const])))
}

/** The kept sums; in the universe of a report its projects themselves, one department after the other: together they look like too many for the index. */
function spendingIn(scope: FactScope): Sql {
  const { project_dept_sub__in: departments, ...others } = scope.search
  const kept = sliceConditions(others, scope.isSampleOnly)
  if (!kept)
    return sql`lateral (select s.* from project_spending s where s.department_id = d.id offset 0) f on ${factConditions(scope)}`
  const units = departments ? sql` and d.id = any (${departmentIds(departments)})` : empty
  return sql`department_spending f on f.department_id = d.id and ${kept}${units}`
}
