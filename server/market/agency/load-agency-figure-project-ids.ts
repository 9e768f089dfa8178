import sql, { type Sql } from 'sql-template-tag'
import { PURSUIT_STAGE_KINDS } from '#contract/account/pursuit-settings.ts'
import { type FigureProjectIds, loadAwardProjectIds } from '#server/market/who-wins/load-figure-project-ids.ts'
import { purchaseFilterCondition } from '#server/market/who-wins/read-awards.ts'
import { type AwardSource, withPurchaseAwards } from '#server/market/who-wins/with-awards.ts'
import { findAgencyUnitIds } from './find-agency.ts'
import {
  buildPursuedProjectCondition,
  keywordGroupCondition,
  loadAgencyOpenProjects,
  purchaseInReportCondition,
} from './organisation-agency-queries.ts'
import { type AgencyQuery, toOrganisationAgencyScope, toPurchaseFilter } from './present-agency.ts'
import { findPurchasedProjects, purchaseFigureCondition } from './queries.ts'

/**
 * Returns how many projects an agency figure (contract/market/agency.ts) counts and the ids of the first `limit` of
 * them; undefined when the text names no figure.
 */
export async function loadAgencyFigureProjectIds(
  source: AwardSource,
  query: AgencyQuery,
  text: string,
  limit: number,
): Promise<FigureProjectIds | undefined> {
  const { db } = source
  const { agency, scope } = query
  const at = text.indexOf(':')
  const [kind, value] = at < 0 ? [text, undefined] : ([text.slice(0, at), text.slice(at + 1)] as const)
  const ownCondition = await organisationCondition(db, query, [kind!, value])
  if (ownCondition) return await findPurchasedProjects(db, ownCondition, limit)
  const scopePurchases = toPurchaseFilter(query)
  // A unit figure always counts the whole agency, even when the query selects another unit, so drop the unit filter.
  const purchases =
    kind === 'unit' ? { ...scopePurchases, units: findAgencyUnitIds(agency, undefined) } : scopePurchases
  if (kind === 'group') {
    const condition = groupCondition(query, value)
    // A keyword group contains only projects of the report, so they need not be looked up there again.
    const bought = purchaseFilterCondition(purchases, { ...scope, isMarket: true })
    return condition && (await findPurchasedProjects(db, sql`${bought} and ${condition}`, limit))
  }
  const condition = purchaseFigureCondition(kind!, value)
  if (condition)
    return await findPurchasedProjects(db, sql`${purchaseFilterCondition(purchases, scope)} and ${condition}`, limit)
  return await withPurchaseAwards(source, purchases, scope, (awarded) => loadAwardProjectIds(db, awarded, text, limit))
}

function groupCondition(query: AgencyQuery, groupId: string | undefined): Sql | undefined {
  if (groupId === '') return keywordGroupCondition(toOrganisationAgencyScope(query), null)
  return groupId !== undefined && /^[1-9]\d{0,8}$/.test(groupId)
    ? keywordGroupCondition(toOrganisationAgencyScope(query), Number(groupId))
    : undefined
}

type FigureKey = readonly [kind: string, named: string | undefined]

/**
 * Returns the SQL condition for a figure about the caller's organisation (all years); undefined for other figures. Also
 * undefined for pursuit figures in the demo, which has no pursuits.
 */
async function organisationCondition(
  db: AwardSource['db'],
  query: AgencyQuery,
  [kind, value]: FigureKey,
): Promise<Sql | undefined> {
  const ownScope = toOrganisationAgencyScope(query)
  if (kind === 'matches' && value === undefined) return purchaseInReportCondition(ownScope)
  if (kind === 'open' && value === undefined) {
    const openProjects = await loadAgencyOpenProjects(db, ownScope)
    return sql`p.project_id = any (${openProjects.map(({ project_id }) => project_id)}::text[])`
  }
  const isKind = value === undefined || PURSUIT_STAGE_KINDS.some(({ code }) => code === value)
  if (kind !== 'pursuits' || !isKind || !query.hasPursuits) return undefined
  return sql`p.department_id = any (${[...ownScope.units]}::int[]) and ${await buildPursuedProjectCondition(db, ownScope, value)}`
}
