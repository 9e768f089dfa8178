import { findPursuitStage, type PursuitStage, type PursuitStageKind } from '#contract/account/pursuit-settings.ts'
import { shortenProjectName } from '#contract/account/shorten-project-name.ts'
import { formatAgencyUnit, formatPurchasingUnitAgencyName } from '#contract/catalogue/agency-name.ts'
import { computeMedian } from '#contract/quantile.ts'
import {
  TEAM_RESULT_FIGURE_STAGE_KINDS,
  type TeamResultFigure,
  type TeamResultFigures,
  type TeamResultGroup,
  type TeamResultGrouping,
  type TeamResultReason,
  type TeamResultRow,
  UNGROUPED_TEAM_RESULTS_KEY,
} from '#contract/team/team-results.ts'
import { getProvinceName } from '#contract/thai/province.ts'
import { countDaysBetween, THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { satangToBaht } from '#server/platform/text/satang-to-baht.ts'
import type { StoredTeamResult } from './queries.ts'

export type TeamResult = {
  readonly row: TeamResultRow
  readonly kind: PursuitStageKind
  readonly isPriceInDoubt: boolean
  readonly groups: Readonly<Record<TeamResultGrouping, readonly Group[]>>
}
type Group = { readonly key: string; readonly name: string }

const compareThai = new Intl.Collator('th').compare

/**
 * Returns how far a price is below the reference price, as a share of it; null if either is unknown. Never uses the
 * budget, which is a different measure (D20).
 */
function discountOf({ price_satang: price, estimate_satang: estimate }: StoredTeamResult): number | null {
  return price === null || estimate === null || estimate <= 0 ? null : (estimate - price) / estimate
}

type Reader = { readonly stages: readonly PursuitStage[]; readonly seesPrice: boolean }

/** Converts a stored row. Omits bid prices and values derived from them for roles that may not see them. */
export function toTeamResult(stored: StoredTeamResult, { stages, seesPrice }: Reader): TeamResult {
  const stage = findPursuitStage(stages, stored.stage)
  const kind = stage?.kind ?? 'open'
  const { created_on: startDay, decided_on: decided } = stored
  const days = decided === null || stored.announced_on === null ? null : countDaysBetween(stored.announced_on, decided)
  const givenReason =
    (kind === 'lost' ? stored.lost_reason : kind === 'declined' ? stored.reason : null)?.trim() || null
  const department = formatBuyerName(stored)
  const unassignedGroup = { key: UNGROUPED_TEAM_RESULTS_KEY, name: 'ไม่มีผู้ดูแล' }
  const words = [...new Set(stored.words ?? [])]
  const reason = (endKind: PursuitStageKind) =>
    kind === endKind ? [{ key: givenReason ?? UNGROUPED_TEAM_RESULTS_KEY, name: givenReason ?? 'ไม่ได้ระบุ' }] : []
  return {
    row: {
      project_id: stored.project_id,
      name: shortenProjectName(stored.name),
      department,
      owner: stored.owner_name,
      stage: stage?.name ?? stored.stage,
      begun: startDay,
      announced: stored.announced_on,
      decided,
      // A decision can precede the announcement (purchase plans); then the duration is meaningless.
      days_to_decide: days !== null && days >= 0 ? days : null,
      estimate: satangToBaht(stored.estimate_satang),
      price: seesPrice ? satangToBaht(stored.price_satang) : null,
      discount: seesPrice ? discountOf(stored) : null,
      winner: stored.winner_name,
      winner_price: satangToBaht(stored.winner_satang),
      reason: givenReason,
    },
    kind,
    isPriceInDoubt: stored.is_price_in_doubt,
    groups: {
      owner: [
        stored.owner_id === null ? unassignedGroup : { key: String(stored.owner_id), name: stored.owner_name ?? '' },
      ],
      department: [{ key: department, name: department }],
      word:
        words.length === 0
          ? [{ key: UNGROUPED_TEAM_RESULTS_KEY, name: 'ไม่อยู่ในรายงานแล้ว' }]
          : words.map((key) => ({ key, name: key })),
      month: [{ key: startDay.slice(0, 7), name: monthName(startDay) }],
      lost_reason: reason('lost'),
      declined_reason: reason('declined'),
    },
  }
}

/** Names the purchasing unit so that bodies of the same name in several provinces have different labels. */
function formatBuyerName({ dept_name, dept_sub_name, dept_province }: StoredTeamResult): string {
  const province = getProvinceName(dept_province)
  const unit = dept_sub_name || dept_name
  const name = formatPurchasingUnitAgencyName(unit, province)
  const agency = formatPurchasingUnitAgencyName(dept_name, province)
  return name === unit && agency !== dept_name ? formatAgencyUnit(agency, unit) : name
}

function monthName(day: string): string {
  const [year, month] = day.split('-').map(Number) as [number, number]
  return `${THAI_MONTHS[month - 1]!.short} ${year + 543}`
}

export function isTeamResultCountedInFigure(figure: TeamResultFigure, { kind, row }: TeamResult): boolean {
  const kinds = TEAM_RESULT_FIGURE_STAGE_KINDS[figure]
  if (kinds) return kinds.includes(kind)
  switch (figure) {
    case 'valued':
      return kind === 'won' && row.winner_price !== null
    case 'discounted':
      return TEAM_RESULT_FIGURE_STAGE_KINDS.bid!.includes(kind) && row.discount !== null
    case 'timed':
      return row.days_to_decide !== null
    default:
      return true
  }
}

export function computeTeamResultFigures(results: readonly TeamResult[], seesPrice: boolean): TeamResultFigures {
  const resultsIn = (figure: TeamResultFigure) =>
    results.filter((result) => isTeamResultCountedInFigure(figure, result))
  const count = (figure: TeamResultFigure) => resultsIn(figure).length
  const [won, lost, valued] = [count('won'), count('lost'), resultsIn('valued')]
  const inDoubt = resultsIn('won').filter(({ isPriceInDoubt }) => isPriceInDoubt).length
  const medianBy = (figure: TeamResultFigure, value: (row: TeamResultRow) => number | null) => {
    const numbers = resultsIn(figure).map(({ row }) => value(row)!)
    return { median: computeMedian(numbers) ?? null, n: numbers.length }
  }
  return {
    pursued: results.length,
    bid: count('bid'),
    won,
    lost,
    waiting: count('waiting'),
    declined: count('declined'),
    open: count('open'),
    win_rate: won + lost === 0 ? null : won / (won + lost),
    // Add the values in satang, so that the sum is exact.
    won_value: valued.reduce((sum, { row }) => sum + Math.round(row.winner_price! * 100), 0) / 100,
    valued: valued.length,
    ...(inDoubt > 0 ? { amounts_in_doubt: inDoubt } : {}),
    discount: seesPrice ? medianBy('discounted', ({ discount }) => discount) : null,
    days_to_decide: medianBy('timed', ({ days_to_decide: days }) => days),
  }
}

function groupResults(
  results: readonly TeamResult[],
  by: TeamResultGrouping,
): { readonly group: Group; readonly results: TeamResult[] }[] {
  const byKey = new Map<string, { group: Group; results: TeamResult[] }>()
  for (const result of results) {
    for (const group of result.groups[by]) {
      const entry = byKey.get(group.key)
      if (entry) entry.results.push(result)
      else byKey.set(group.key, { group, results: [result] })
    }
  }
  return [...byKey.values()]
}

/**
 * Omits groups smaller than the `limit` largest, because most of a team's departments have a single project and sorting
 * them by name takes longer than all sums.
 */
function omitSmallGroups<T extends { readonly results: readonly unknown[] }>(groups: readonly T[], limit: number): T[] {
  const sizes = groups.map(({ results }) => results.length).sort((a, b) => b - a)
  const minSize = sizes[limit - 1] ?? 0
  return groups.filter(({ results }) => results.length >= minSize)
}

/** Computes the figures of the first `limit` groups, or of the last months. `total` is the number of all groups. */
export function computeTeamResultGroups(
  results: readonly TeamResult[],
  by: TeamResultGrouping,
  { seesPrice, limit }: { readonly seesPrice: boolean; readonly limit?: number },
): { readonly total: number; readonly results: TeamResultGroup[] } {
  const allGroups = groupResults(results, by)
  const groups = (by === 'month' || limit === undefined ? allGroups : omitSmallGroups(allGroups, limit)).sort(
    by === 'month'
      ? (a, b) => (a.group.key < b.group.key ? -1 : 1)
      : (a, b) => b.results.length - a.results.length || compareThai(a.group.name, b.group.name),
  )
  const listedGroups = limit === undefined ? groups : by === 'month' ? groups.slice(-limit) : groups.slice(0, limit)
  return {
    total: allGroups.length,
    results: listedGroups.map(({ group, results: ofGroup }) => ({
      ...group,
      ...computeTeamResultFigures(ofGroup, seesPrice),
    })),
  }
}

export function countTeamResultReasons(
  results: readonly TeamResult[],
  by: 'lost_reason' | 'declined_reason',
): TeamResultReason[] {
  return groupResults(results, by)
    .map(({ group, results: ofGroup }) => ({ key: group.key, n: ofGroup.length }))
    .sort(
      (a, b) =>
        Number(a.key === UNGROUPED_TEAM_RESULTS_KEY) - Number(b.key === UNGROUPED_TEAM_RESULTS_KEY) ||
        b.n - a.n ||
        a.key.localeCompare(b.key, 'th'),
    )
}
