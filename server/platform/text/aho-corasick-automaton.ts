/**
 * Aho–Corasick over UTF-16 units: finds many words in one pass over a text. Written here because existing packages
 * allocate an object per node: with 1,000 words that is several times slower than typed arrays.
 *
 * States are numbered breadth first. Shallow states, where a text spends nearly all its time, have a full row of
 * transitions; deeper ones look up their edges and fall back along `fail`, which always leads to a shallower state.
 */
export type AhoCorasickAutomaton = {
  /** Calls `onMatch(word, start, end)` for every occurrence of every word; `word` is its index in the input list. */
  scan(text: string, onMatch: (word: number, start: number, end: number) => void): void
}

/** Maximum size of all full rows, 64 MB in total: enough for 20,000 words of usual length. */
const DENSE_CELLS = 16 * 1024 * 1024

type Trie = { edges: Map<number, number>; parents: number[]; labels: number[]; words: number[] }

function buildTrie(words: readonly string[], classes: Uint16Array, width: number): Trie {
  const trie: Trie = { edges: new Map(), parents: [0], labels: [0], words: [-1] }
  words.forEach((word, index) => {
    let state = 0
    for (let at = 0; at < word.length; at += 1) {
      const label = classes[word.charCodeAt(at)]!
      const edge = state * width + label
      let next = trie.edges.get(edge)
      if (next === undefined) {
        next = trie.parents.push(state) - 1
        trie.labels.push(label)
        trie.words.push(-1)
        trie.edges.set(edge, next)
      }
      state = next
    }
    trie.words[state] = index
  })
  return trie
}

/**
 * Returns the old state numbers in breadth-first order, and the start index of each depth; the last entry is the end.
 */
function breadthFirst(trie: Trie): { order: Uint32Array; levels: number[] } {
  const depths = new Uint32Array(trie.parents.length)
  for (let state = 1; state < depths.length; state += 1) depths[state] = depths[trie.parents[state]!]! + 1
  const order = Uint32Array.from(depths.keys()).sort((a, b) => depths[a]! - depths[b]! || a - b)
  const levels: number[] = []
  order.forEach((old, state) => {
    if (depths[old] === levels.length) levels.push(state)
  })
  return { order, levels: [...levels, order.length] }
}

/**
 * Builds the automaton of words, which must be distinct and not empty. `denseCells` limits the cells of states that
 * store a full row of transitions, the shallowest states first; deeper states store only their own transitions.
 */
export function buildAhoCorasickAutomaton(words: readonly string[], denseCells = DENSE_CELLS): AhoCorasickAutomaton {
  const classes = new Uint16Array(65_536)
  let width = 1
  for (const word of words) {
    for (let at = 0; at < word.length; at += 1) {
      const code = word.charCodeAt(at)
      if (classes[code] === 0) classes[code] = width++
    }
  }
  const trie = buildTrie(words, classes, width)
  const { order, levels } = breadthFirst(trie)
  const size = order.length
  const renumbered = new Uint32Array(size)
  order.forEach((old, state) => {
    renumbered[old] = state
  })

  const denseStates = Math.min(size, Math.max(1, Math.floor(denseCells / width)))
  const dense = new Int32Array(denseStates * width)
  const edges = new Map<number, number>()
  const fail = new Int32Array(size)
  const wordAt = new Int32Array(size)
  // For each state: the state of the longest word that ends there (0: none), and that of the next shorter word.
  const firstHit = new Int32Array(size)
  const nextHit = new Int32Array(size)

  const step = (from: number, label: number): number => {
    let state = from
    while (state >= denseStates) {
      const next = edges.get(state * width + label)
      if (next !== undefined) return next
      state = fail[state]!
    }
    return dense[state * width + label]!
  }

  for (let level = 1; level < levels.length - 1; level += 1) {
    const from = levels[level]!
    const to = levels[level + 1]!
    for (let state = from; state < to; state += 1) {
      const old = order[state]!
      const parent = renumbered[trie.parents[old]!]!
      const label = trie.labels[old]!
      // The fallback is the state for the text without its first character. It follows from the parent's fallback,
      // which is at least two levels up, where all rows are complete.
      const fallback = parent === 0 ? 0 : step(fail[parent]!, label)
      fail[state] = fallback
      wordAt[state] = trie.words[old]!
      nextHit[state] = firstHit[fallback]!
      firstHit[state] = wordAt[state]! >= 0 ? state : firstHit[fallback]!
      if (parent < denseStates) dense[parent * width + label] = state
      else edges.set(parent * width + label, state)
    }
    // A row starts as a copy of its fallback's row, which is complete by now; the state's own edges are added later.
    for (let state = from; state < Math.min(to, denseStates); state += 1) {
      const row = fail[state]! * width
      dense.copyWithin(state * width, row, row + width)
    }
  }

  const lengths = Uint32Array.from(words, (word) => word.length)
  return {
    scan(text, onMatch) {
      let state = 0
      for (let at = 0; at < text.length; at += 1) {
        const label = classes[text.charCodeAt(at)]!
        state = label === 0 ? 0 : state < denseStates ? dense[state * width + label]! : step(state, label)
        for (let hit = firstHit[state]!; hit !== 0; hit = nextHit[hit]!) {
          const word = wordAt[hit]!
          onMatch(word, at + 1 - lengths[word]!, at + 1)
        }
      }
    },
  }
}
