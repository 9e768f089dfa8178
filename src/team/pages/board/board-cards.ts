import { isOpenKind, type Stage } from '#contract/account/pursuit-settings.ts'
import { daysLeftText, type Urgency, urgencyOf } from '#contract/catalogue/time-left.ts'
import type { PursuitCard } from '#contract/team/pursuit.ts'
import { daysBetween } from '#contract/thai/thai-date.ts'

/** The bar of days left is full from here on. */
const FULL_DAYS = 21

export type BoardColumn = {
  readonly stage: Stage
  readonly cards: readonly PursuitCard[]
  /** Baht; what has no budget adds nothing. */
  readonly budget: number
  readonly isFolded: boolean
}

/** The deadline of a cancelled project is not urgent. */
const sortDay = ({ deadline, is_cancelled }: PursuitCard) => (is_cancelled ? '9999' : (deadline ?? '9999'))
const byDeadline = (one: PursuitCard, other: PursuitCard) =>
  sortDay(one).localeCompare(sortDay(other)) || one.project_id.localeCompare(other.project_id)
const byChange = (one: PursuitCard, other: PursuitCard) => other.changed_at.localeCompare(one.changed_at)

/**
 * Cards by stage, in the order of the board: where work is to be done the nearest deadline first, of what has ended the last change first. Columns of
 * what has ended are folded; `toggled` names those that are as they would not be by themselves. A card of a stage that is gone stands in the first.
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
  /** 0 to 1 of the bar. */
  readonly share: number
}

/** What is left until bids close, with the share of the bar. */
export function daysLeft(deadline: string | null, today: string): DaysLeft | undefined {
  if (deadline === null) return undefined
  const days = daysBetween(today, deadline)
  const share = Math.min(Math.max(days, 0), FULL_DAYS) / FULL_DAYS
  return { text: daysLeftText(days), urgency: urgencyOf(days), share }
}

/** The stage in which is decided, where an organisation kept it. */
const DECIDING = 'deciding'

/** A card that goes past the deciding into further work, of which nobody has said whether we bid. */
export function asksDecision({ stage: from, decision }: PursuitCard, to: Stage, stages: readonly Stage[]): boolean {
  const placeOf = (id: string) => stages.findIndex((stage) => stage.id === id)
  const deciding = placeOf(DECIDING)
  if (decision || to.kind !== 'open' || deciding === -1) return false
  return placeOf(from) <= deciding && placeOf(to.id) > deciding
}

/** Where a card goes that we do not bid for. */
export const declinedOf = (stages: readonly Stage[]): Stage | undefined =>
  stages.find(({ kind }) => kind === 'declined')

/** A stage that ends without a bid won asks why. */
export const asksWhy = ({ kind }: Stage): boolean => kind === 'lost' || kind === 'declined'
