import { readFileSync } from 'node:fs'
import path from 'node:path'
import { searchForm } from '#contract/thai-text.ts'
import { MODEL_FOLDER } from './term-model.ts'

/** One line of `model/concepts.txt`: words for the same thing, and words for kinds of it. */
export type Concept = { readonly name: string; readonly equal: readonly string[]; readonly narrower: readonly string[] }

/** Concepts by the words that name them, in the form that matching compares. */
export class Dictionary {
  readonly concepts: readonly Concept[]
  readonly #byTerm = new Map<string, Concept[]>()

  constructor(text: string) {
    this.concepts = text
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .map(parseConcept)
    for (const concept of this.concepts) {
      for (const term of concept.equal) this.#byTerm.set(term, [...(this.#byTerm.get(term) ?? []), concept])
    }
  }

  /** Concepts that the term is a name of. */
  conceptsOf(term: string): readonly Concept[] {
    return this.#byTerm.get(term) ?? []
  }

  /** Other words for the term, and kinds of it; empty when the dictionary does not know it. */
  wordsFor(term: string): string[] {
    const words = this.conceptsOf(term).flatMap(({ equal, narrower }) => [...equal, ...narrower])
    return [...new Set(words)].filter((word) => word !== term)
  }
}

function parseConcept(line: string): Concept {
  const [name, words] = line.split(' : ')
  if (name === undefined || words === undefined) throw new Error(`No concept: ${line}`)
  const [equal, narrower] = words.split(' > ')
  const list = (terms: string | undefined) =>
    (terms ?? '')
      .split('|')
      .map(searchForm)
      .filter((term) => term !== '')
  return { name: name.trim(), equal: list(equal), narrower: list(narrower) }
}

let shipped: Dictionary | undefined

/** The reviewed dictionary that ships with the server, read at the first call. */
export function dictionary(): Dictionary {
  shipped ??= new Dictionary(readFileSync(path.join(MODEL_FOLDER, 'concepts.txt'), 'utf8'))
  return shipped
}
