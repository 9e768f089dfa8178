/**
 * Cuts titles into units of the learned vocabulary. A unit is a word or a phrase that Thai procurement uses as one
 * (`เครื่องปรับอากาศ`), which `Intl.Segmenter` cuts in two; loan words it breaks into syllables (`โซ|ลาร์|เซลล์`).
 */

/** Thai without digits, signs and the repetition mark; or a Latin word, a model name, a number. */
const RUN = /[\u0e01-\u0e2e\u0e30-\u0e3a\u0e40-\u0e45\u0e47-\u0e4e]+|[a-z0-9]+(?:[.\-/+&][a-z0-9]+)*/g
/** `ค.ส.ล.` is `คสล.`: an abbreviation is one word however it is dotted. */
const DOTTED = /(?<![\u0e00-\u0e7f])(?:[ก-ฮ]{1,2}\.){2,}[ก-ฮ]{0,2}/g
/** How it is bought says nothing of what is bought. */
const METHOD_TAIL =
  /(?<!\s)\s*(?:โดยวิธี|ด้วยวิธี)(?:การ)?\s?(?:เฉพาะเจาะจง|ประกวด|คัดเลือก|ตลาด|สอบราคา|ตกลงราคา|พิเศษ|e-)[\s\S]*/
const METHOD_SIGN = /\(?(?:e-?\s?bidding|e-?\s?market)\)?/g

/** A run of text that no unit covers costs this much for each letter group, in nats: more than any unit of the vocabulary. */
const UNKNOWN_COST = 18
const NO_UNIT = -2
/** The longest Latin phrase in words (`solar street light`). */
const LATIN_WORDS = 3

export type Unit = { readonly text: string; readonly start: number; readonly end: number; readonly id: number }

/** A normalised title without the words that say how it is bought, abbreviations without dots: what training and ranking read. */
export function contentOf(normalised: string): string {
  return normalised
    .replace(METHOD_TAIL, '')
    .replace(METHOD_SIGN, ' ')
    .replace(DOTTED, (dotted) => dotted.replaceAll('.', ''))
}

/** Runs of one script in normalised text, with where each begins. */
export function* runsOf(normalised: string): Generator<{ text: string; start: number; isThai: boolean }> {
  for (const found of normalised.matchAll(RUN))
    yield { text: found[0], start: found.index, isThai: found[0].charCodeAt(0) > 0x0e00 }
}

/** A trie of Thai units in flat arrays: one step a letter, no objects. */
class ThaiTrie {
  #next = new Int32Array(1 << 20)
  #unit = new Int32Array(1 << 13).fill(-1)
  #size = 1

  /** Whether the word could be added: only Thai can. */
  add(word: string, id: number): void {
    let node = 0
    for (let at = 0; at < word.length; at += 1) {
      const slot = node * 128 + (word.charCodeAt(at) - 0x0e00)
      if (this.#next[slot] === 0) this.#next[slot] = this.#grow()
      node = this.#next[slot]!
    }
    this.#unit[node] = id
  }

  #grow(): number {
    const node = this.#size
    this.#size += 1
    if (this.#size > this.#unit.length) {
      const unit = new Int32Array(this.#unit.length * 2).fill(-1)
      unit.set(this.#unit)
      this.#unit = unit
      const next = new Int32Array(unit.length * 128)
      next.set(this.#next)
      this.#next = next
    }
    return node
  }

  step(node: number, code: number): number {
    return this.#next[node * 128 + (code - 0x0e00)]!
  }

  unitAt(node: number): number {
    return this.#unit[node]!
  }
}

/** Segments text by a vocabulary with counts: the cut that is likeliest when units are drawn independently (Viterbi). */
export class VocabularySegmenter {
  readonly #trie = new ThaiTrie()
  readonly #latin = new Map<string, number>()
  readonly #cost: Float64Array
  readonly #words: readonly string[]

  constructor(words: readonly string[], counts: ArrayLike<number>) {
    this.#words = words
    let total = 0
    for (let id = 0; id < words.length; id += 1) total += counts[id]!
    this.#cost = Float64Array.from(words, (_, id) => Math.log(total / counts[id]!))
    words.forEach((word, id) => {
      if (/^[\u0e01-\u0e4e]+$/.test(word)) this.#trie.add(word, id)
      else this.#latin.set(word, id)
    })
  }

  /**
   * Units of normalised text in order; `id` is -1 for text that no unit covers. Positions are those of the text given. With
   * `without`, as if that unit were not in the vocabulary: what a phrase is put together from.
   */
  segment(normalised: string, without = NO_UNIT): Unit[] {
    return [...this.unitsOf(normalised, without)]
  }

  /** The same, one after the other: a run is cut when its first unit is asked for, so who has read enough saves the rest. */
  *unitsOf(normalised: string, without = NO_UNIT): Generator<Unit, void> {
    const latin: { text: string; start: number }[] = []
    const flush = () => this.#latinUnits(latin.splice(0))
    for (const run of runsOf(normalised)) {
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

  #latinUnits(run: { text: string; start: number }[]): Unit[] {
    const units: Unit[] = []
    for (let at = 0; at < run.length; ) {
      let taken = 1
      let text = run[at]!.text
      for (let count = Math.min(LATIN_WORDS, run.length - at); count > 1; count -= 1) {
        const phrase = run
          .slice(at, at + count)
          .map((word) => word.text)
          .join(' ')
        if (!this.#latin.has(phrase)) continue
        taken = count
        text = phrase
        break
      }
      const start = run[at]!.start
      units.push({ text, start, end: start + text.length, id: this.#latin.get(text) ?? -1 })
      at += taken
    }
    return units
  }

  #thaiUnits(text: string, offset: number, without: number): Unit[] {
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
    const cuts: Unit[] = []
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

/** Whether a unit may begin there: not with a mark or a vowel that follows its letter, nor right after a vowel that leads one. */
function canBegin(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const before = text.charCodeAt(at - 1)
  const follows = (code >= 0x0e30 && code <= 0x0e3a) || code === 0x0e45 || (code >= 0x0e47 && code <= 0x0e4e)
  return !follows && !(before >= 0x0e40 && before <= 0x0e44)
}
