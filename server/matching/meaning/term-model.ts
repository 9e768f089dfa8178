import { readFileSync } from 'node:fs'
import path from 'node:path'
import { VocabularySegmenter } from '#server/platform/text/vocabulary-segmenter.ts'

/**
 * The learned vocabulary with two vectors per unit: subword (fastText, from letters and neighbours), which tolerates
 * spelling variants, and context (PPMI, from neighbours alone), which does not confuse a shared syllable with a shared
 * meaning. Units similar in both have similar meanings.
 */
export type TermModel = {
  readonly words: readonly string[]
  readonly counts: Uint32Array
  readonly ids: ReadonlyMap<string, number>
  readonly segmenter: VocabularySegmenter
  readonly subword: VectorTable
  readonly context: VectorTable
}

/** int8 rows, each scaled to its own maximum, so they preserve directions but not lengths. */
export class VectorTable {
  readonly rows: number
  readonly width: number
  readonly #values: Int8Array
  readonly #inverseNorm: Float32Array

  constructor(values: Int8Array, rows: number) {
    if (rows === 0 || values.length % rows !== 0)
      throw new Error(`${values.length} bytes of vectors do not make ${rows} rows`)
    this.rows = rows
    this.width = values.length / rows
    this.#values = values
    this.#inverseNorm = new Float32Array(rows)
    for (let row = 0; row < rows; row += 1) {
      let sum = 0
      for (let at = row * this.width, end = at + this.width; at < end; at += 1) sum += values[at]! * values[at]!
      this.#inverseNorm[row] = sum === 0 ? 0 : 1 / Math.sqrt(sum)
    }
  }

  /** Returns false for zero vectors: function words have no context vector. */
  has(row: number): boolean {
    return this.#inverseNorm[row]! > 0
  }

  blend(rows: readonly number[], weights: readonly number[]): Float32Array {
    const sum = new Float32Array(this.width)
    rows.forEach((row, index) => {
      const scale = this.#inverseNorm[row]! * weights[index]!
      for (let at = 0; at < this.width; at += 1) sum[at]! += this.#values[row * this.width + at]! * scale
    })
    const norm = Math.hypot(...sum)
    return norm === 0 ? sum : sum.map((value) => value / norm)
  }

  cosine(row: number, otherRow: number): number {
    const [from, otherFrom] = [row * this.width, otherRow * this.width]
    let dot = 0
    for (let at = 0; at < this.width; at += 1) dot += this.#values[from + at]! * this.#values[otherFrom + at]!
    return dot * this.#inverseNorm[row]! * this.#inverseNorm[otherRow]!
  }

  /** Returns the cosine of a unit vector with every row; 2 ms for 23,000 rows of 100. */
  similarities(vector: Float32Array): Float32Array {
    const result = new Float32Array(this.rows)
    const { width, rows } = this
    const values = this.#values
    const inverseNorm = this.#inverseNorm
    for (let row = 0, at = 0; row < rows; row += 1) {
      let dot = 0
      for (let column = 0; column < width; column += 1, at += 1) dot += vector[column]! * values[at]!
      result[row] = dot * inverseNorm[row]!
    }
    return result
  }
}

/**
 * Loads a model: a table of `unit TAB titles containing it TAB uses as a unit`, and two vector files in the same order.
 */
export function loadTermModel(folder: string, files: { units: string; subword: string; context: string }): TermModel {
  const rows = readFileSync(path.join(folder, files.units), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t'))
  const words = rows.map((row) => row[0]!)
  const counts = Uint32Array.from(rows, (row) => Number(row[1]))
  const bytes = (file: string) => {
    const buffer = readFileSync(path.join(folder, file))
    return new Int8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  }
  return {
    words,
    counts,
    ids: new Map(words.map((word, id) => [word, id])),
    // Baseline models for comparisons lack the third column (uses as a unit), so fall back to the number of titles.
    segmenter: new VocabularySegmenter(
      words,
      rows.map((row) => Number(row[2] ?? row[1])),
    ),
    subword: new VectorTable(bytes(files.subword), words.length),
    context: new VectorTable(bytes(files.context), words.length),
  }
}

export const TERM_MODEL_FOLDER = path.join(import.meta.dirname, '../../../data/term-model')
export const TERM_MODEL_FILES = { units: 'units.tsv', subword: 'subword.i8', context: 'context.i8' } as const
/** `titles` is the number of distinct training titles; written by `scripts/train-terms.ts`. */
type ModelFacts = { readonly titles: number }

let shipped: TermModel | undefined
let facts: ModelFacts | undefined

/**
 * Returns the model shipped with the server. Loads it on first use (0.1 s, 20 MB); `serve` does so before accepting
 * requests.
 */
export function loadDefaultTermModel(): TermModel {
  shipped ??= loadTermModel(TERM_MODEL_FOLDER, TERM_MODEL_FILES)
  return shipped
}

export function loadTermModelMetadata(): ModelFacts {
  facts ??= JSON.parse(readFileSync(path.join(TERM_MODEL_FOLDER, 'facts.json'), 'utf8')) as ModelFacts
  return facts
}

export function getBuiltInKeywordExpanderName(): string {
  return `คำใกล้เคียงที่ระบบเรียนรู้จากชื่อโครงการ e-GP ${loadTermModelMetadata().titles.toLocaleString('en-US')} รายการ`
}
