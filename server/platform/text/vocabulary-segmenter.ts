/**
 * Splits titles into units of the learned vocabulary. A unit is a word, or a phrase that Thai procurement uses as one
 * word (`เครื่องปรับอากาศ`). `Intl.Segmenter` would split such phrases in two, and loan words into syllables
 * (`โซ|ลาร์|เซลล์`).
 */

/** Matches Thai text without digits, signs and the repetition mark; or a Latin word, model name or number. */
const RUN = /[\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e45\u0e47-\u0e4e]+|[a-z0-9]+(?:[.\-/+&][a-z0-9]+)*/g
/** An abbreviation with dots: `ค.ส.ล.` equals `คสล.`, so the dots are removed. */
const DOTTED = /(?<![\u0e00-\u0e7f])(?:[ก-ฮ]{1,2}\.){2,}[ก-ฮ]{0,2}/g
const METHOD_TAIL =
  /(?<!\s)\s*(?:โดยวิธี|ด้วยวิธี)(?:การ)?\s?(?:เฉพาะเจาะจง|ประกวด|คัดเลือก|ตลาด|สอบราคา|ตกลงราคา|พิเศษ|e-)[\s\S]*/
const METHOD_SIGN = /\(?(?:e-?\s?bidding|e-?\s?market)\)?/g

/** Cost in nats per letter group of uncovered text: more than any unit of the vocabulary. */
const UNKNOWN_COST = 18
const NO_UNIT = -2
const LATIN_WORDS = 3

export type VocabularyUnitOccurrence = {
  readonly text: string
  readonly start: number
  readonly end: number
  readonly id: number
}

/**
 * Strips the procurement method and the dots of abbreviations from a normalised title. Input for training and ranking.
 */
export function stripTitleBoilerplate(normalised: string): string {
  return normalised
    .replace(METHOD_TAIL, '')
    .replace(METHOD_SIGN, ' ')
    .replace(DOTTED, (dotted) => dotted.replaceAll('.', ''))
}

export function* splitIntoScriptRuns(normalised: string): Generator<{ text: string; start: number; isThai: boolean }> {
  for (const match of normalised.matchAll(RUN))
    yield { text: match[0], start: match.index, isThai: match[0].charCodeAt(0) > 0x0e00 }
}

/** Start of the Thai block. The letters of all units are within the 96 codes from here. */
const THAI_BLOCK_START = 0x0e00
const NODE_INTS = 4

/**
 * A trie of Thai units in flat arrays. Children of a node are adjacent, in letter order: a node is a bit for each of 96
 * letters and the index of its first child. The 92,321 nodes of the shipped vocabulary take 2 MB; with a slot per
 * letter they took 67.
 */
class ThaiTrie {
  readonly #nodes: Int32Array
  readonly #unit: Int32Array

  /** Words must consist of Thai letters only. */
  constructor(units: readonly (readonly [word: string, id: number])[]) {
    const sorted = units.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    const nodes: number[] = []
    const unit: number[] = []
    // Each range: the sorted words with one node's prefix. Ranges of a depth are consecutive, so children are too.
    let ranges: (readonly [from: number, to: number])[] = [[0, sorted.length]]
    let next = 1
    for (let depth = 0; ranges.length > 0; depth += 1) {
      const below: (readonly [number, number])[] = []
      for (const [from, to] of ranges) {
        const bits = [0, 0, 0]
        let id = -1
        let at = from
        const firstChild = next
        for (; at < to && sorted[at]![0].length === depth; at += 1) id = sorted[at]![1]
        while (at < to) {
          const code = sorted[at]![0].charCodeAt(depth)
          const start = at
          while (at < to && sorted[at]![0].charCodeAt(depth) === code) at += 1
          bits[(code - THAI_BLOCK_START) >> 5]! |= 1 << ((code - THAI_BLOCK_START) & 31)
          below.push([start, at])
          next += 1
        }
        nodes.push(...bits, firstChild)
        unit.push(id)
      }
      ranges = below
    }
    this.#nodes = Int32Array.from(nodes)
    this.#unit = Int32Array.from(unit)
  }

  step(node: number, code: number): number {
    const letter = code - THAI_BLOCK_START
    const at = node * NODE_INTS
    const word = letter >> 5
    const bits = this.#nodes[at + word]!
    const bit = 1 << (letter & 31)
    if ((bits & bit) === 0) return 0
    let before = countBits(bits & (bit - 1))
    if (word > 0) before += countBits(this.#nodes[at]!)
    if (word > 1) before += countBits(this.#nodes[at + 1]!)
    return this.#nodes[at + NODE_INTS - 1]! + before
  }

  unitAt(node: number): number {
    return this.#unit[node]!
  }
}

function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x5555_5555)
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24
}

/** Segments text by a vocabulary with counts: the most likely split if units are independent (Viterbi). */
export class VocabularySegmenter {
  readonly #trie: ThaiTrie
  readonly #latin = new Map<string, number>()
  readonly #cost: Float64Array
  readonly #words: readonly string[]

  constructor(words: readonly string[], counts: ArrayLike<number>) {
    this.#words = words
    let total = 0
    for (let id = 0; id < words.length; id += 1) total += counts[id]!
    this.#cost = Float64Array.from(words, (_, id) => Math.log(total / counts[id]!))
    const thai: [string, number][] = []
    words.forEach((word, id) => {
      if (/^[\u0e01-\u0e4e]+$/.test(word)) thai.push([word, id])
      else this.#latin.set(word, id)
    })
    this.#trie = new ThaiTrie(thai)
  }

  /**
   * Returns the units of normalised text in order; `id` is -1 for uncovered text. Positions refer to the input.
   * `without` ignores that unit, to find the parts of a phrase.
   */
  segment(normalised: string, without = NO_UNIT): VocabularyUnitOccurrence[] {
    return [...this.unitsOf(normalised, without)]
  }

  *unitsOf(normalised: string, without = NO_UNIT): Generator<VocabularyUnitOccurrence, void> {
    const latin: { text: string; start: number }[] = []
    const flush = () => this.#latinUnits(latin.splice(0))
    for (const run of splitIntoScriptRuns(normalised)) {
      if (!run.isThai) {
        const last = latin.at(-1)
        if (last && run.start !== last.start + last.text.length + 1) yield* flush()
        latin.push(run)
        continue
      }
      if (latin.length > 0) yield* flush()
      yield* this.#thaiUnits(run.text, run.start, without)
    }
    yield* flush()
  }

  #latinUnits(run: { text: string; start: number }[]): VocabularyUnitOccurrence[] {
    const units: VocabularyUnitOccurrence[] = []
    for (let at = 0; at < run.length; ) {
      let wordCount = 1
      let text = run[at]!.text
      for (let count = Math.min(LATIN_WORDS, run.length - at); count > 1; count -= 1) {
        const phrase = run
          .slice(at, at + count)
          .map((word) => word.text)
          .join(' ')
        if (!this.#latin.has(phrase)) continue
        wordCount = count
        text = phrase
        break
      }
      const start = run[at]!.start
      units.push({ text, start, end: start + text.length, id: this.#latin.get(text) ?? -1 })
      at += wordCount
    }
    return units
  }

  #thaiUnits(text: string, offset: number, without: number): VocabularyUnitOccurrence[] {
    const length = text.length
    const best = new Float64Array(length + 1).fill(Number.POSITIVE_INFINITY)
    const from = new Int32Array(length + 1)
    const unit = new Int32Array(length + 1).fill(-1)
    best[0] = 0
    for (let at = 0; at < length; at += 1) {
      if (best[at] === Number.POSITIVE_INFINITY) continue
      let end = at + 1
      while (end < length && !canBegin(text, end)) end += 1
      if (best[at]! + UNKNOWN_COST < best[end]!) {
        best[end] = best[at]! + UNKNOWN_COST
        from[end] = at
        unit[end] = -1
      }
      let node = 0
      for (let to = at; to < length; to += 1) {
        node = this.#trie.step(node, text.charCodeAt(to))
        if (node === 0) break
        const id = this.#trie.unitAt(node)
        if (id < 0 || id === without || (to + 1 < length && !canBegin(text, to + 1))) continue
        const cost = best[at]! + this.#cost[id]!
        if (cost < best[to + 1]!) {
          best[to + 1] = cost
          from[to + 1] = at
          unit[to + 1] = id
        }
      }
    }
    const cuts: VocabularyUnitOccurrence[] = []
    for (let end = length; end > 0; end = from[end]!) {
      const start = from[end]!
      const id = unit[end]!
      const later = cuts.at(-1)
      if (id < 0 && later?.id === -1) {
        cuts[cuts.length - 1] = {
          text: text.slice(start, later.end - offset),
          start: offset + start,
          end: later.end,
          id,
        }
      } else {
        cuts.push({
          text: id < 0 ? text.slice(start, end) : this.#words[id]!,
          start: offset + start,
          end: offset + end,
          id,
        })
      }
    }
    return cuts.reverse()
  }
}

/**
 * True if a unit may begin there: not at a mark or a vowel that follows its consonant, nor directly after a leading
 * vowel.
 */
function canBegin(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  const follows = (code >= 0x0e30 && code <= 0x0e3a) || code === 0x0e45 || (code >= 0x0e47 && code <= 0x0e4e)
  return !follows && !(before >= 0x0e40 && before <= 0x0e44)
}
