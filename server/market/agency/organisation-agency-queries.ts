import sql, { type Sql } from 'sql-template-tag'
import { findPursuitStage, PURSUIT_STAGE_KINDS } from '#contract/account/pursuit-settings.ts'
import { isLocalGovernmentName } from '#contract/catalogue/agency-name.ts'
import { type BidStateFacts, getBidState } from '#contract/catalogue/bid-state.ts'
import { type Agency, MAX_AGENCY_UPCOMING_PROJECTS } from '#contract/market/agency.ts'
import { findProvinceByName } from '#contract/thai/province.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { findLinkableBudgetUnits, listBudgetUnitProvinces } from '#server/market/budget/budget-link-queries.ts'
import { matchBudgetBody } from '#server/market/budget/match-budget-body.ts'
import { visibleInReportCondition } from '#server/market/who-wins/read-awards.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import { loadPursuitBoard } from '#server/team/pursuit/queries.ts'
import type { ResolvedAgency } from './find-agency.ts'

export type OrganisationAgencyScope = {
  readonly organisationId: number
  readonly userId: number
  readonly units: readonly number[]
  readonly today: string
}

/** SQL condition: project `p` is in the organisation's report and was bought by one of the scope's units. */
export const purchaseInReportCondition = (scope: OrganisationAgencyScope): Sql =>
  sql`p.department_id = any (${[...scope.units]}::int[]) and ${visibleInReportCondition(scope)}`

/**
 * CTEs: the keyword matches of our projects as `f (project_id, words_id)`, and the deduplicated groups of those keyword
 * sets as `x (words_id, group_id)`. A null group means keywords without a group.
 */
const withGroups = ({ organisationId }: OrganisationAgencyScope, condition: Sql): Sql => sql`
  with found as materialized (
    select p.project_id, m.words_id
    from projects p cross join lateral (
      select x.words_id from project_matches x where x.organisation_id = ${organisationId}::int and x.project_id = p.project_id offset 0
    ) m where ${condition}
  ),
  groups as materialized (
    select distinct w.id as words_id, k.group_id
    from match_words w cross join lateral jsonb_array_elements(w.reasons) r
    join keywords k on k.organisation_id = ${organisationId}::int and k.id = (r ->> 'keyword')::int
    where w.organisation_id = ${organisationId}::int and w.id in (select f.words_id from found f)
  )`

/**
 * SQL condition: project `p` is in the report and a keyword of this group matched it; null selects keywords without a
 * group.
 */
export const keywordGroupCondition = (
  scope: OrganisationAgencyScope,
  group: number | null,
): Sql => sql`p.project_id in (
  ${withGroups(scope, purchaseInReportCondition(scope))}
  select f.project_id from found f join groups x on x.words_id = f.words_id where x.group_id is not distinct from ${group}::int)`

type OpenProjectRow = BidStateFacts<string> & {
  readonly project_id: string
  readonly name: string
  readonly budget_satang: number | null
}

export async function loadAgencyOpenProjects(db: Db, scope: OrganisationAgencyScope): Promise<OpenProjectRow[]> {
  const rows = await db.query<OpenProjectRow>(sql`
    select p.project_id, p.name, p.status, p.movement, p.bidding_invited_on as bidding_invite_date,
      p.submission_ends_on as submission_end_date, p.winner_announced_on as winner_announce_date, p.budget_satang
    from projects p where ${purchaseInReportCondition(scope)} and not p.is_archived and (p.submission_ends_on is null or p.submission_ends_on >= ${scope.today}::date)
    order by p.submission_ends_on nulls last, p.project_id`)
  return rows.filter((row) => getBidState(row, scope.today) === 'open')
}

async function countStages(db: Db, { organisationId, units }: OrganisationAgencyScope) {
  return await db.query<{ stage: string; n: number }>(sql`
    select c.stage, count(*)::int as n from pursuits c join projects p on p.project_id = c.project_id
    where c.organisation_id = ${organisationId}::int and p.department_id = any (${[...units]}::int[]) group by c.stage`)
}

/**
 * SQL condition: the organisation pursues project `p` in a stage of this kind, or in any stage if `kind` is undefined.
 */
export async function buildPursuedProjectCondition(
  db: Db,
  { organisationId }: OrganisationAgencyScope,
  kind: string | undefined,
): Promise<Sql> {
  const { stages } = await loadPursuitBoard(db, organisationId)
  const ids = stages.filter((stage) => kind === undefined || stage.kind === kind).map(({ id }) => id)
  return sql`exists (select from pursuits c where c.organisation_id = ${organisationId}::int and c.project_id = p.project_id and c.stage = any (${ids}::text[]))`
}

export async function loadOrganisationAgencySummary(
  db: Db,
  scope: OrganisationAgencyScope,
  hasPursuits: boolean,
): Promise<Omit<Agency['ours'], 'matches'>> {
  const openProjects = await loadAgencyOpenProjects(db, scope)
  const { stages } = await loadPursuitBoard(db, scope.organisationId)
  const stored = hasPursuits ? await countStages(db, scope) : []
  return {
    open: openProjects.length,
    next: openProjects
      .slice(0, MAX_AGENCY_UPCOMING_PROJECTS)
      .map(({ project_id, name, submission_end_date, budget_satang }) => ({
        project_id,
        name,
        submission_end_date,
        budget: satangToBaht(budget_satang),
      })),
    pursuits: hasPursuits
      ? PURSUIT_STAGE_KINDS.map(({ code: kind }) => ({
          kind,
          n: stored.reduce((sum, { stage, n }) => (findPursuitStage(stages, stage)?.kind === kind ? sum + n : sum), 0),
        }))
      : null,
  }
}

/** Returns the unit of the annual budget with the agency's name, unless it may be another body of that name. */
export async function findBudgetUnit(
  db: Db,
  agency: Pick<ResolvedAgency, 'name' | 'text' | 'province' | 'units'>,
): Promise<Agency['budget']> {
  const form = toNormalisedSearchText(agency.name)
  const unit = (await findLinkableBudgetUnits(db)).find((candidate) => toNormalisedSearchText(candidate.name) === form)
  if (!unit) return null
  const isLocal = agency.text !== agency.name || isLocalGovernmentName(agency.name)
  if (isLocal && !isBudgetOf(agency, await listBudgetUnitProvinces(db, unit.unit))) return null
  const [newest] = await db.query<{ ministry: string }>(sql`
    select n.name as ministry from budget_items i join budget_names n on n.id = i.ministry
    where i.unit = ${unit.unit}::int order by i.fiscal_year desc, i.id limit 1`)
  return newest ? { ministry: newest.ministry, unit: unit.name } : null
}

/** `agency` must be a local government. */
function isBudgetOf(
  { name, text, province, units }: Pick<ResolvedAgency, 'name' | 'text' | 'province' | 'units'>,
  statedProvinces: readonly number[],
): boolean {
  if (text !== name) {
    const code = province === null ? null : (findProvinceByName(province)?.code ?? null)
    return matchBudgetBody({ province: code, isNameShared: true }, statedProvinces) === 'same'
  }
  const places = units.flatMap((unit) => unit.province ?? [])
  return (
    places.length === 0 ||
    places.some((place) => matchBudgetBody({ province: place, isNameShared: false }, statedProvinces) !== 'other')
  )
}
