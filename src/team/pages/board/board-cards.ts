import { isOpenKind, type Stage } from '#contract/account/pursuit-settings.ts'
import { daysLeftText, type Urgency, urgencyOf } from '#contract/catalogue/time-left.ts'
import type { PursuitCard } from '#contract/team/pursuit.ts'
import { daysBetween } from '#contract/thai/thai-date.ts'

/** The bar of days left is full from this many days on. */
const FULL_DAYS = 21

export type BoardColumn = {
  readonly stage: Stage
  readonly cards: readonly PursuitCard[]
  /** Baht; projects without a budget count as 0. */
  readonly budget: number
  readonly isFolded: boolean
}

/** Cancelled projects sort last because their deadline no longer matters. */
const sortDay = ({ deadline, is_cancelled }: PursuitCard) => (is_cancelled ? '9999' : (deadline ?? '9999'))
const byDeadline = (one: PursuitCard, other: PursuitCard) =>
  sortDay(one).localeCompare(sortDay(other)) || one.project_id.localeCompare(other.project_id)
const byChange = (one: PursuitCard, other: PursuitCard) => other.changed_at.localeCompare(one.changed_at)

/**
 * Groups cards by stage in board order: open stages by nearest deadline, ended stages by latest change. Ended columns
 * are collapsed by default; `toggled` lists the columns switched from their default. Cards of a deleted stage appear in
 * the first column.
 */
export function columnsOf(
  stages: readonly Stage[],
  cards: readonly PursuitCard[],
  toggled: readonly string[],
): BoardColumn[] {
  const known = new Set(stages.map(({ id }) => id))
  const byStage = Map.groupBy(cards, ({ stage }) => (known.has(stage) ? stage : stages[0]?.id))
  return stages.map((stage) => {
    const own = byStage.get(stage.id) ?? []
    return {
      stage,
      cards: own.toSorted(isOpenKind(stage.kind) ? byDeadline : byChange),
      budget: own.reduce((sum, { budget }) => sum + (budget ?? 0), 0),
      isFolded: !isOpenKind(stage.kind) !== toggled.includes(stage.id),
    }
  })
}

export type DaysLeft = {
  readonly text: string
  readonly urgency: Urgency
  /** Filled part of the bar, 0 to 1. */
  readonly share: number
}

export function daysLeft(deadline: string | null, today: string): DaysLeft | undefined {
  if (deadline === null) return undefined
  const days = daysBetween(today, deadline)
  const share = Math.min(Math.max(days, 0), FULL_DAYS) / FULL_DAYS
  return { text: daysLeftText(days), urgency: urgencyOf(days), share }
}

/** Id of the decision stage; an organisation may have deleted it. */
const DECIDING = 'deciding'

/** True when a card without a decision moves past the decision stage into an open stage. */
export function asksDecision({ stage: from, decision }: PursuitCard, to: Stage, stages: readonly Stage[]): boolean {
  const placeOf = (id: string) => stages.findIndex((stage) => stage.id === id)
  const deciding = placeOf(DECIDING)
  if (decision || to.kind !== 'open' || deciding === -1) return false
  return placeOf(from) <= deciding && placeOf(to.id) > deciding
}

export const declinedOf = (stages: readonly Stage[]): Stage | undefined =>
  stages.find(({ kind }) => kind === 'declined')

export const asksWhy = ({ kind }: Stage): boolean => kind === 'lost' || kind === 'declined'
