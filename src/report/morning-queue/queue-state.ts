import type { MorningQueue, QueueKind } from '#contract/report/morning-queue.ts'

export type Marks = { readonly starred: boolean; readonly hidden: boolean; readonly labels: readonly string[] }
export type MarksOf = (projectId: string) => Marks

type Step = { readonly at: number; readonly id: string; readonly before: Marks; readonly wasDecided: boolean }

/**
 * State of a walk through the morning queue. Marks live in the user data; only the marks on arrival are stored here, so
 * undo restores them regardless of later changes.
 */
export type QueueState = {
  readonly ids: readonly string[]
  /** Index of the current project; equals the number of ids at the end. */
  readonly at: number
  /** Marks of the current project on arrival; undefined at the end. */
  readonly arrived: Marks | undefined
  readonly decided: ReadonlySet<string>
  readonly steps: readonly Step[]
}

/** Side effects of undo for the caller: restore the marks, and revoke the decision if `undecide`. */
export type Undone = {
  readonly state: QueueState
  readonly id: string
  readonly restore: Marks
  readonly undecide: boolean
}

export type QueueEntry = { readonly id: string; readonly kind: QueueKind }

/** Returns the queue in walking order; decided projects come first, so the user can go back to them. */
export function entriesOf({ sections, decided }: MorningQueue): QueueEntry[] {
  const done = new Set(decided)
  const all = sections.flatMap(({ kind, ids }) => ids.map((id) => ({ id, kind })))
  return [...all.filter(({ id }) => done.has(id)), ...all.filter(({ id }) => !done.has(id))]
}

/** Starts at the first undecided project. */
export function startQueue(entries: readonly QueueEntry[], decided: readonly string[], marksOf: MarksOf): QueueState {
  const done = new Set(decided)
  const ids = entries.map(({ id }) => id)
  const first = ids.findIndex((id) => !done.has(id))
  return arriveAt(
    { ids, at: 0, arrived: undefined, decided: done, steps: [] },
    first === -1 ? ids.length : first,
    marksOf,
  )
}

function arriveAt(state: QueueState, at: number, marksOf: MarksOf): QueueState {
  const id = state.ids[at]
  return { ...state, at, arrived: id === undefined ? undefined : marksOf(id) }
}

export function currentId({ ids, at }: QueueState): string | undefined {
  return ids[at]
}

/** Marks the current project as decided and moves to the next; a no-op at the end. */
export function goOn(state: QueueState, marksOf: MarksOf): QueueState {
  const id = currentId(state)
  if (id === undefined) return state
  const kept = recordStep(state, id, marksOf, true)
  return arriveAt({ ...kept, decided: new Set([...kept.decided, id]) }, state.at + 1, marksOf)
}

export function goBack(state: QueueState, marksOf: MarksOf): QueueState {
  if (state.at === 0) return state
  const id = currentId(state)
  return arriveAt(id === undefined ? state : recordStep(state, id, marksOf, false), state.at - 1, marksOf)
}

/** Records a step if the project was decided or its marks changed; a mere revisit records nothing. */
function recordStep(state: QueueState, id: string, marksOf: MarksOf, decides: boolean): QueueState {
  const before = state.arrived!
  const wasDecided = state.decided.has(id)
  if ((wasDecided || !decides) && sameMarks(before, marksOf(id))) return state
  return { ...state, steps: [...state.steps, { at: state.at, id, before, wasDecided }] }
}

/**
 * Reverts the marks of the current project, or else the last step and returns to its project; undefined when there is
 * nothing to undo.
 */
export function undo(state: QueueState, marksOf: MarksOf): Undone | undefined {
  const id = currentId(state)
  if (id !== undefined && !sameMarks(state.arrived!, marksOf(id)))
    return { state, id, restore: state.arrived!, undecide: false }
  const last = state.steps.at(-1)
  if (!last) return undefined
  const undecide = !last.wasDecided && state.decided.has(last.id)
  const decided = new Set(state.decided)
  if (undecide) decided.delete(last.id)
  return {
    state: { ...state, at: last.at, arrived: last.before, decided, steps: state.steps.slice(0, -1) },
    id: last.id,
    restore: last.before,
    undecide,
  }
}

export function canUndo(state: QueueState, marksOf: MarksOf): boolean {
  return undo(state, marksOf) !== undefined
}

export function sameMarks(one: Marks, other: Marks): boolean {
  return (
    one.starred === other.starred &&
    one.hidden === other.hidden &&
    one.labels.length === other.labels.length &&
    one.labels.every((label) => other.labels.includes(label))
  )
}

/** Decided projects by outcome, each counted once: hidden before starred before labelled before seen. */
export type Outcome = {
  readonly starred: readonly string[]
  readonly labelled: readonly string[]
  readonly hidden: readonly string[]
  readonly seen: readonly string[]
}

export function outcomeOf({ ids, decided }: Pick<QueueState, 'ids' | 'decided'>, marksOf: MarksOf): Outcome {
  const by = Object.groupBy(
    ids.filter((id) => decided.has(id)),
    (id) => {
      const { hidden, starred, labels } = marksOf(id)
      return hidden ? 'hidden' : starred ? 'starred' : labels.length > 0 ? 'labelled' : 'seen'
    },
  )
  return { starred: by.starred ?? [], labelled: by.labelled ?? [], hidden: by.hidden ?? [], seen: by.seen ?? [] }
}
