import sql, { type Sql } from 'sql-template-tag'
import { CONSTRUCTION_METHOD_TYPES } from '#contract/report/eligibility.ts'
import { projectMatchValueIdsSql } from '#server/report/bid-state-sql.ts'
import { type EligibilityTable, METHOD_GROUPS } from './eligibility-table.ts'

/** SQL version of `decideEligibility` on `m` (`report_matches`): an index into `ELIGIBILITY_VERDICTS`. */
export function eligibilityVerdictSql(table: EligibilityTable): Sql {
  const [ofOpen, ofSpecific, ofInvited] = table.groups.map((verdicts) => verdictSql(table, verdicts))
  const [open, specific] = METHOD_GROUPS
  return sql`case when m.method = any (${projectMatchValueIdsSql('method', specific)}) then ${ofSpecific}
    when m.method = any (${projectMatchValueIdsSql('method', open)}) then ${ofOpen} else ${ofInvited} end`
}

/** Same arithmetic as `getEligibilityCell`; `width_bucket` counts the lower bounds up to a value. */
function verdictSql({ budgets, announcedOn, submittedOn }: EligibilityTable, verdicts: Uint8Array): Sql {
  if (verdicts.length === 1) return sql`${verdicts[0]}::smallint`
  const construct = sql`(m.method_type = any (${projectMatchValueIdsSql('method_type', CONSTRUCTION_METHOD_TYPES)}))::int`
  const announced = sql`coalesce(width_bucket(coalesce(m.bidding_invited_on, m.draft_published_on, m.movement_on), ${announcedOn}::date[]) + 1, 0)`
  const budget = sql`coalesce(width_bucket(m.budget_satang, ${budgets}::bigint[]) + 1, 0)`
  const submitted = sql`coalesce(width_bucket(m.submission_ends_on, ${submittedOn}::date[]) + 1, 0)`
  return sql`(${[...verdicts]}::smallint[])[1 + ((${construct} * ${announcedOn.length + 2}::int + ${announced})
    * ${budgets.length + 2}::int + ${budget}) * ${submittedOn.length + 2}::int + ${submitted}]`
}
