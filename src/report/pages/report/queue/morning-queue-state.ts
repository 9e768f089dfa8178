import type { MorningQueue, MorningQueueKind } from '#contract/report/morning-queue.ts'

export type MorningQueueMarks = {
  readonly starred: boolean
  readonly hidden: boolean
  readonly labels: readonly string[]
}
type MorningQueueMarksLookup = (projectId: string) => MorningQueueMarks

type UndoStep = {
  readonly at: number
  readonly id: string
  readonly before: MorningQueueMarks
  readonly wasDecided: boolean
}

/**
 * Progress through the morning queue. Marks live in the user data; only the marks on arrival are stored here, so
 * that undo restores them regardless of later changes.
 */
export type MorningQueueState = {
  readonly ids: readonly string[]
  readonly at: number
  readonly arrived: MorningQueueMarks | undefined
  readonly decided: ReadonlySet<string>
  readonly steps: readonly UndoStep[]
}

type MorningQueueItem = { readonly id: string; readonly kind: MorningQueueKind }

/** Returns the projects of the queue. Decided projects come first, so that the user can go back to them. */
export function listMorningQueueItems({ sections, decided }: MorningQueue): MorningQueueItem[] {
  const decidedIds = new Set(decided)
  const entries = sections.flatMap(({ kind, ids }) => ids.map((id) => ({ id, kind })))
  return [...entries.filter(({ id }) => decidedIds.has(id)), ...entries.filter(({ id }) => !decidedIds.has(id))]
}

export function createMorningQueueState(
  entries: readonly MorningQueueItem[],
  decided: readonly string[],
  marksOf: MorningQueueMarksLookup,
): MorningQueueState {
  const decidedIds = new Set(decided)
  const ids = entries.map(({ id }) => id)
  const first = ids.findIndex((id) => !decidedIds.has(id))
  return arriveAt(
    { ids, at: 0, arrived: undefined, decided: decidedIds, steps: [] },
    first === -1 ? ids.length : first,
    marksOf,
  )
}

function arriveAt(state: MorningQueueState, at: number, marksOf: MorningQueueMarksLookup): MorningQueueState {
  const id = state.ids[at]
  return { ...state, at, arrived: id === undefined ? undefined : marksOf(id) }
}

export function getCurrentQueueProjectId({ ids, at }: MorningQueueState): string | undefined {
  return ids[at]
}

export function advanceMorningQueue(state: MorningQueueState, marksOf: MorningQueueMarksLookup): MorningQueueState {
  const id = getCurrentQueueProjectId(state)
  if (id === undefined) return state
  const recorded = recordStep(state, id, marksOf, true)
  return arriveAt({ ...recorded, decided: new Set([...recorded.decided, id]) }, state.at + 1, marksOf)
}

export function stepBackInMorningQueue(state: MorningQueueState, marksOf: MorningQueueMarksLookup): MorningQueueState {
  if (state.at === 0) return state
  const id = getCurrentQueueProjectId(state)
  return arriveAt(id === undefined ? state : recordStep(state, id, marksOf, false), state.at - 1, marksOf)
}

/** Merely revisiting a project records nothing. */
function recordStep(
  state: MorningQueueState,
  id: string,
  marksOf: MorningQueueMarksLookup,
  decides: boolean,
): MorningQueueState {
  const before = state.arrived!
  const wasDecided = state.decided.has(id)
  if ((wasDecided || !decides) && hasSameMorningQueueMarks(before, marksOf(id))) return state
  return { ...state, steps: [...state.steps, { at: state.at, id, before, wasDecided }] }
}

/**
 * Reverts the marks of the current project if they changed, otherwise reverts the last step and returns to its project.
 * Undefined when there is nothing to undo. The caller must apply the side effects: restore the marks, and revoke the
 * decision if `undecide`.
 */
export function undoMorningQueueStep(state: MorningQueueState, marksOf: MorningQueueMarksLookup) {
  const id = getCurrentQueueProjectId(state)
  if (id !== undefined && !hasSameMorningQueueMarks(state.arrived!, marksOf(id)))
    return { state, id, restore: state.arrived!, undecide: false }
  const lastStep = state.steps.at(-1)
  if (!lastStep) return undefined
  const undecide = !lastStep.wasDecided && state.decided.has(lastStep.id)
  const decided = new Set(state.decided)
  if (undecide) decided.delete(lastStep.id)
  return {
    state: { ...state, at: lastStep.at, arrived: lastStep.before, decided, steps: state.steps.slice(0, -1) },
    id: lastStep.id,
    restore: lastStep.before,
    undecide,
  }
}

export function hasSameMorningQueueMarks(a: MorningQueueMarks, b: MorningQueueMarks): boolean {
  return (
    a.starred === b.starred &&
    a.hidden === b.hidden &&
    a.labels.length === b.labels.length &&
    a.labels.every((label) => b.labels.includes(label))
  )
}

/** Lists each decided project once, under the first that applies: hidden, starred, labelled, seen. */
export function computeMorningQueueOutcome(
  { ids, decided }: Pick<MorningQueueState, 'ids' | 'decided'>,
  marksOf: MorningQueueMarksLookup,
) {
  const by = Object.groupBy(
    ids.filter((id) => decided.has(id)),
    (id) => {
      const { hidden, starred, labels } = marksOf(id)
      return hidden ? 'hidden' : starred ? 'starred' : labels.length > 0 ? 'labelled' : 'seen'
    },
  )
  return { starred: by.starred ?? [], labelled: by.labelled ?? [], hidden: by.hidden ?? [], seen: by.seen ?? [] }
}
