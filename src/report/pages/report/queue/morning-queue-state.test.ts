import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  advanceMorningQueue,
  computeMorningQueueOutcome,
  createMorningQueueState,
  getCurrentQueueProjectId,
  hasSameMorningQueueMarks,
  listMorningQueueItems,
  type MorningQueueMarks,
  type MorningQueueState,
  stepBackInMorningQueue,
  undoMorningQueueStep,
} from './morning-queue-state.ts'

const NONE: MorningQueueMarks = { starred: false, hidden: false, labels: [] }

/** Simulates a user going through a queue. As on the page, marks are separate from the state. */
class Walk {
  readonly marks = new Map<string, MorningQueueMarks>()
  readonly decided: Set<string>
  state: MorningQueueState
  readonly marksOf = (id: string): MorningQueueMarks => this.marks.get(id) ?? NONE

  constructor(ids: readonly string[], decided: readonly string[] = []) {
    this.decided = new Set(decided)
    this.state = createMorningQueueState(
      ids.map((id) => ({ id, kind: 'new' as const })),
      decided,
      this.marksOf,
    )
  }
  change(change: Partial<MorningQueueMarks>) {
    const id = getCurrentQueueProjectId(this.state)
    if (id !== undefined) this.marks.set(id, { ...this.marksOf(id), ...change })
  }
  next() {
    const id = getCurrentQueueProjectId(this.state)
    if (id !== undefined) this.decided.add(id)
    this.state = advanceMorningQueue(this.state, this.marksOf)
  }
  back() {
    this.state = stepBackInMorningQueue(this.state, this.marksOf)
  }
  undo(): boolean {
    const undone = undoMorningQueueStep(this.state, this.marksOf)
    if (!undone) return false
    this.state = undone.state
    this.marks.set(undone.id, undone.restore)
    if (undone.undecide) this.decided.delete(undone.id)
    return true
  }
  /** Returns everything that undo must restore; projects without marks are omitted. */
  snapshot() {
    const marked = [...this.marks].filter(([, marks]) => !hasSameMorningQueueMarks(marks, NONE))
    return {
      marks: new Map(marked.map(([id, m]) => [id, { ...m, labels: [...m.labels].sort() }])),
      told: new Set(this.decided),
    }
  }
}

const IDS = ['1', '2', '3', '4', '5', '6']
type Act = 'star' | 'hide' | 'label a' | 'label b' | 'next' | 'back' | 'undo'
const acts = fc.array(
  fc.constantFrom<Act>('star', 'hide', 'label a', 'label b', 'next', 'next', 'next', 'back', 'undo'),
  { maxLength: 60 },
)

function act(walk: Walk, what: Act): void {
  const id = getCurrentQueueProjectId(walk.state)
  const now = id === undefined ? NONE : walk.marksOf(id)
  const toggled = (label: string) =>
    now.labels.includes(label) ? now.labels.filter((assigned) => assigned !== label) : [...now.labels, label]
  if (what === 'next') walk.next()
  else if (what === 'back') walk.back()
  else if (what === 'undo') walk.undo()
  else if (what === 'star') walk.change({ starred: !now.starred })
  else if (what === 'hide') walk.change({ hidden: !now.hidden })
  else walk.change({ labels: toggled(what.slice(-1)) })
}

describe('undoMorningQueueStep', () => {
  test('of all steps restores every mark and decision of the start, whatever the sequence', () => {
    fc.assert(
      fc.property(acts, fc.subarray(IDS), fc.subarray(IDS), (sequence, decided, starredBefore) => {
        const walk = new Walk(IDS, decided)
        for (const id of starredBefore) walk.marks.set(id, { ...NONE, starred: true })
        walk.state = createMorningQueueState(
          IDS.map((id) => ({ id, kind: 'new' as const })),
          decided,
          walk.marksOf,
        )
        const start = walk.snapshot()
        for (const what of sequence) act(walk, what)
        while (walk.undo()) expect(walk.state.steps.length).toBeLessThan(sequence.length + 1)
        expect(walk.snapshot()).toEqual(start)
      }),
      { numRuns: 500 },
    )
  })

  test('in any sequence equals applying only the decisions that were not undone', () => {
    fc.assert(
      fc.property(acts, (sequence) => {
        const walk = new Walk(IDS)
        // Reference model that stores a full snapshot before each step.
        const past: { steps: number; snapshot: ReturnType<Walk['snapshot']> }[] = []
        let settled = walk.snapshot()
        for (const what of sequence) {
          const { length } = walk.state.steps
          if (what !== 'undo') {
            act(walk, what)
            if (walk.state.steps.length > length) {
              past.push({ steps: length, snapshot: settled })
              settled = walk.snapshot()
            }
            continue
          }
          const changedHere =
            getCurrentQueueProjectId(walk.state) !== undefined &&
            undoMorningQueueStep(walk.state, walk.marksOf) !== undefined
          const before = walk.state
          if (!walk.undo()) continue
          if (walk.state === before) expect(changedHere).toBe(true)
          else settled = past.pop()!.snapshot
          expect(walk.snapshot()).toEqual(settled)
          expect(walk.state.steps).toHaveLength(past.length)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('first reverts changes of the current project, then the previous step, and goes there', () => {
    const walk = new Walk(IDS)
    walk.change({ starred: true })
    walk.next()
    walk.change({ labels: ['a'] })
    walk.undo()
    expect([walk.state.at, walk.marksOf('2'), walk.marksOf('1').starred]).toEqual([1, NONE, true])
    walk.undo()
    expect([walk.state.at, walk.marksOf('1')]).toEqual([0, NONE])
    expect(walk.decided).toEqual(new Set())
    expect(walk.undo()).toBe(false)
  })

  test('works from the end too, step by step back to the start', () => {
    const walk = new Walk(IDS)
    for (const _ of IDS) walk.next()
    expect(getCurrentQueueProjectId(walk.state)).toBeUndefined()
    walk.undo()
    expect(getCurrentQueueProjectId(walk.state)).toBe('6')
    expect(walk.decided.has('6')).toBe(false)
  })
})

describe('navigation', () => {
  test('starts after the decided projects, which are placed first', () => {
    const sections = [
      { kind: 'new' as const, ids: ['1', '2'], total: 2 },
      { kind: 'updated' as const, ids: ['3', '4'], total: 2 },
    ]
    const queue = { load_id: 1, data_time: null, sections, decided: ['1', '3'] }
    const entries = listMorningQueueItems(queue)
    expect(entries.map(({ id }) => id)).toEqual(['1', '3', '2', '4'])
    const state = createMorningQueueState(entries, queue.decided, () => NONE)
    expect(getCurrentQueueProjectId(state)).toBe('2')
  })

  test('stops at the first project and at the end', () => {
    const walk = new Walk(['1'])
    walk.back()
    expect(walk.state.at).toBe(0)
    walk.next()
    walk.next()
    expect(walk.state.at).toBe(1)
    expect(walk.state.steps).toHaveLength(1)
  })

  test('records no step when revisiting a decided project, unless it was changed', () => {
    const walk = new Walk(IDS)
    walk.next()
    walk.back()
    walk.next()
    expect(walk.state.steps).toHaveLength(1)
    walk.back()
    walk.change({ starred: true })
    walk.next()
    expect(walk.state.steps).toHaveLength(2)
    walk.undo()
    expect([walk.marksOf('1'), walk.decided.has('1')]).toEqual([NONE, true])
  })
})

test('counts each decided project once in the outcome', () => {
  const marks: Record<string, MorningQueueMarks> = {
    1: { starred: true, hidden: true, labels: ['a'] },
    2: { starred: true, hidden: false, labels: ['a'] },
    3: { starred: false, hidden: false, labels: ['a'] },
    5: { starred: true, hidden: false, labels: [] },
  }
  const outcome = computeMorningQueueOutcome(
    { ids: IDS, decided: new Set(['1', '2', '3', '4']) },
    (id) => marks[id] ?? NONE,
  )
  expect(outcome).toEqual({ hidden: ['1'], starred: ['2'], labelled: ['3'], seen: ['4'] })
})
