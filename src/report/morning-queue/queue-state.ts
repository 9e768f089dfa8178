import type { MorningQueue, QueueKind } from '#contract/report/morning-queue.ts'

/** What a user has marked a project with. */
export type Marks = { readonly starred: boolean; readonly hidden: boolean; readonly labels: readonly string[] }
export type MarksOf = (projectId: string) => Marks

/** One decision that can be taken back: where it was made, and how the project stood before. */
type Step = { readonly at: number; readonly id: string; readonly before: Marks; readonly wasDecided: boolean }

/**
 * A walk through the morning queue. What each project is marked with lives with the user, not here: here stands only how it was when one came
 * to it, so that undo brings that back however it was changed since.
 */
export type QueueState = {
  readonly ids: readonly string[]
  /** Place of the project shown; the number of ids at the end. */
  readonly at: number
  /** How the project shown was marked when one came to it; undefined at the end. */
  readonly arrived: Marks | undefined
  readonly decided: ReadonlySet<string>
  readonly steps: readonly Step[]
}

/** What undo has to do outside: mark the project as it was, and take back that it was decided. */
export type Undone = {
  readonly state: QueueState
  readonly id: string
  readonly restore: Marks
  readonly undecide: boolean
}

export type QueueEntry = { readonly id: string; readonly kind: QueueKind }

/** The queue in the order in which it is gone through: what is decided already lies behind, for whoever wants to look back. */
export function entriesOf({ sections, decided }: MorningQueue): QueueEntry[] {
  const done = new Set(decided)
  const all = sections.flatMap(({ kind, ids }) => ids.map((id) => ({ id, kind })))
  return [...all.filter(({ id }) => done.has(id)), ...all.filter(({ id }) => !done.has(id))]
}

/** Begins at the first project that is not decided. */
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

/** The project shown; undefined at the end. */
export function currentId({ ids, at }: QueueState): string | undefined {
  return ids[at]
}

/** Marks the shown project as decided and moves to the next one. Changes nothing at the end of the queue. */
export function goOn(state: QueueState, marksOf: MarksOf): QueueState {
  const id = currentId(state)
  if (id === undefined) return state
  const kept = recordStep(state, id, marksOf, true)
  return arriveAt({ ...kept, decided: new Set([...kept.decided, id]) }, state.at + 1, marksOf)
}

/** Back to the project before, which changes nothing about either. */
export function goBack(state: QueueState, marksOf: MarksOf): QueueState {
  if (state.at === 0) return state
  const id = currentId(state)
  return arriveAt(id === undefined ? state : recordStep(state, id, marksOf, false), state.at - 1, marksOf)
}

/** Records leaving a project as a step when it was decided or its marks changed. Looking at it again records nothing. */
function recordStep(state: QueueState, id: string, marksOf: MarksOf, decides: boolean): QueueState {
  const before = state.arrived!
  const wasDecided = state.decided.has(id)
  if ((wasDecided || !decides) && sameMarks(before, marksOf(id))) return state
  return { ...state, steps: [...state.steps, { at: state.at, id, before, wasDecided }] }
}

/** Takes back what was done to the project shown, or else the last step, and goes to its project; undefined when there is nothing. */
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

/** Whether undo would do something. */
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

/** What became of the decided projects, each counted once: hidden before starred before labelled; the rest was only seen. */
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
