import { isUnfinishedStageKind, type PursuitStage } from '#contract/account/pursuit-settings.ts'
import { formatDaysLeft, getDeadlineUrgency } from '#contract/catalogue/time-left.ts'
import type { PursuitCard } from '#contract/team/pursuit.ts'
import { countDaysBetween } from '#contract/thai/thai-date.ts'

const FULL_DAYS = 21

export const sumPursuitCardBudgets = (cards: readonly PursuitCard[]) => ({
  budget: cards.reduce((sum, { budget }) => sum + (budget ?? 0), 0),
  inDoubt: cards.filter(({ is_budget_in_doubt }) => is_budget_in_doubt).length,
})

export type BoardColumn = {
  readonly stage: PursuitStage
  readonly cards: readonly PursuitCard[]
  readonly total: ReturnType<typeof sumPursuitCardBudgets>
  readonly isFolded: boolean
}

const sortDay = ({ deadline, is_cancelled }: PursuitCard) => (is_cancelled ? '9999' : (deadline ?? '9999'))
const byDeadline = (a: PursuitCard, b: PursuitCard) =>
  sortDay(a).localeCompare(sortDay(b)) || a.project_id.localeCompare(b.project_id)
const byChange = (a: PursuitCard, b: PursuitCard) => b.changed_at.localeCompare(a.changed_at)

/**
 * Groups cards by stage in board order: open stages by nearest deadline, ended stages by latest change. Ended columns
 * are collapsed by default; `toggled` lists the columns switched from their default. Cards of a deleted stage appear in
 * the first column.
 */
export function groupCardsIntoBoardColumns(
  stages: readonly PursuitStage[],
  cards: readonly PursuitCard[],
  toggled: readonly string[],
): BoardColumn[] {
  const stageIds = new Set(stages.map(({ id }) => id))
  const byStage = Map.groupBy(cards, ({ stage }) => (stageIds.has(stage) ? stage : stages[0]?.id))
  return stages.map((stage) => {
    const stageCards = byStage.get(stage.id) ?? []
    return {
      stage,
      cards: stageCards.toSorted(isUnfinishedStageKind(stage.kind) ? byDeadline : byChange),
      total: sumPursuitCardBudgets(stageCards),
      isFolded: !isUnfinishedStageKind(stage.kind) !== toggled.includes(stage.id),
    }
  })
}

export function getDaysLeftUntil(deadline: string | null, today: string) {
  if (deadline === null) return undefined
  const days = countDaysBetween(today, deadline)
  const share = Math.min(Math.max(days, 0), FULL_DAYS) / FULL_DAYS
  return { text: formatDaysLeft(days), urgency: getDeadlineUrgency(days), share }
}

/** Id of the default decision stage, which an organisation may have deleted. */
const DECISION_STAGE_ID = 'deciding'

export function moveNeedsBidDecision(
  { stage: from, decision }: PursuitCard,
  to: PursuitStage,
  stages: readonly PursuitStage[],
): boolean {
  const placeOf = (id: string) => stages.findIndex((stage) => stage.id === id)
  const deciding = placeOf(DECISION_STAGE_ID)
  if (decision || to.kind !== 'open' || deciding === -1) return false
  return placeOf(from) <= deciding && placeOf(to.id) > deciding
}

export const findDeclinedStage = (stages: readonly PursuitStage[]): PursuitStage | undefined =>
  stages.find(({ kind }) => kind === 'declined')

export const stageNeedsReason = ({ kind }: PursuitStage): boolean => kind === 'lost' || kind === 'declined'
