/**
 * Consecutive entries of one kind: `gone` exist only in the first list, `new` only in the second. Ranges are half open.
 */
export type ListDiffRun = {
  readonly kind: 'same' | 'gone' | 'new'
  readonly before: readonly [number, number]
  readonly after: readonly [number, number]
}

/** Beyond this many edits the texts are unrelated. Memory grows with the square of the edits: 9 MB at this limit. */
const MAX_DIFF_EDITS = 1_500

/**
 * Computes the shortest edit script (Myers 1986) as runs in order. Time grows with the length; time and memory also
 * grow with the square of the number of edits. Undefined beyond `MAX_DIFF_EDITS` edits.
 */
export function diffLists(before: readonly string[], after: readonly string[]): ListDiffRun[] | undefined {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail += 1
  const [a, b] = [before.slice(head, before.length - tail), after.slice(head, after.length - tail)]
  const steps = findEditPath(a, b)
  if (steps === undefined) return undefined
  const runs: ListDiffRun[] = []
  const push = (kind: ListDiffRun['kind'], from: readonly [number, number], to: readonly [number, number]) => {
    if (from[0] === to[0] && from[1] === to[1]) return
    const last = runs.at(-1)
    if (last?.kind === kind)
      runs[runs.length - 1] = { kind, before: [last.before[0], to[0]], after: [last.after[0], to[1]] }
    else runs.push({ kind, before: [from[0], to[0]], after: [from[1], to[1]] })
  }
  push('same', [0, 0], [head, head])
  let at: readonly [number, number] = [head, head]
  for (const [x, y] of steps) {
    const to: readonly [number, number] = [x + head, y + head]
    const kind = to[0] === at[0] ? 'new' : to[1] === at[1] ? 'gone' : 'same'
    push(kind, at, to)
    at = to
  }
  push('same', at, [before.length, after.length])
  return runs
}

function findEditPath(a: readonly string[], b: readonly string[]): [number, number][] | undefined {
  const maxEdits = Math.min(a.length + b.length, MAX_DIFF_EDITS)
  const ends = new Int32Array(2 * maxEdits + 3)
  const middle = maxEdits + 1
  const history: Int32Array[] = []
  for (let steps = 0; steps <= maxEdits; steps += 1) {
    for (let k = -steps; k <= steps; k += 2) {
      const down = k === -steps || (k !== steps && ends[middle + k - 1]! < ends[middle + k + 1]!)
      let x = down ? ends[middle + k + 1]! : ends[middle + k - 1]! + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x += 1
      ends[middle + k] = x
      if (x >= a.length && x - k >= b.length) return traceBack(history, steps, k, [x, x - k])
    }
    history.push(ends.slice(middle - steps, middle + steps + 1))
  }
  return undefined
}

function traceBack(history: readonly Int32Array[], steps: number, diagonal: number, end: [number, number]) {
  const points: [number, number][] = [end]
  let k = diagonal
  for (let step = steps; step > 0; step -= 1) {
    // The stored end points of the previous step begin with diagonal -(step - 1).
    const ends = history[step - 1]!
    const endOf = (diagonalIndex: number) => ends[diagonalIndex + step - 1] ?? -1
    const down = k === -step || (k !== step && endOf(k - 1) < endOf(k + 1))
    const previousDiagonal = down ? k + 1 : k - 1
    const x = endOf(previousDiagonal)
    points.push(down ? [x, x - k] : [x + 1, x + 1 - k], [x, x - previousDiagonal])
    k = previousDiagonal
  }
  return points.reverse().filter(([x, y], at, all) => at === 0 || all[at - 1]![0] !== x || all[at - 1]![1] !== y)
}
