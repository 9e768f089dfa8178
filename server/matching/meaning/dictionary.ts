import { readFileSync } from 'node:fs'
import path from 'node:path'
import { searchForm } from '#contract/thai/thai-text.ts'
import { looseSpelling } from './spelling.ts'
import { MODEL_FOLDER } from './term-model.ts'

/** One line of `model/concepts.txt`: words for the same thing, and words for kinds of it. */
export type Concept = { readonly name: string; readonly equal: readonly string[]; readonly narrower: readonly string[] }

/** Shorter words of different meaning meet in one loose spelling. */
const SAFE_LOOSE = 5

/** Shorter names stand in longer words by chance. */
const SAFE_PART = 7

/** Concepts by the words that name them, in the form that matching compares. */
export class Dictionary {
  readonly concepts: readonly Concept[]
  readonly #byTerm = new Map<string, Concept[]>()
  readonly #byLoose = new Map<string, Concept[]>()

  constructor(text: string) {
    this.concepts = text
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .map(parseConcept)
    for (const concept of this.concepts) {
      for (const term of concept.equal) {
        this.#byTerm.set(term, [...(this.#byTerm.get(term) ?? []), concept])
        const loose = looseSpelling(term)
        if (loose.length >= SAFE_LOOSE) this.#byLoose.set(loose, [...(this.#byLoose.get(loose) ?? []), concept])
      }
    }
  }

  /** Concepts that the term is a name of, in whatever spelling. */
  conceptsOf(term: string): readonly Concept[] {
    return this.#byTerm.get(term) ?? this.#byLoose.get(looseSpelling(term)) ?? []
  }

  /**
   * Whether the dictionary has the other text for something else: it is, or holds, a name of a concept that has nothing to do
   * with the term.
   */
  tellsApart(term: string, other: string): boolean {
    const own = this.conceptsOf(term)
    const words = this.wordsFor(term)
    if (words.some((word) => other.includes(word))) return false
    const isOwn = (concept: Concept) => own.includes(concept)
    const named = this.conceptsOf(other)
    if (named.length > 0 && !named.some(isOwn)) return true
    // `ล้างแอร์` is not `แอร์`, but speaks of it: `ล้างเครื่องปรับอากาศ` is no other thing.
    const speaksOf = (concept: Concept) => isOwn(concept) || concept.equal.some((word) => term.includes(word))
    const isElse = (name: string) => !this.conceptsOf(name).some(speaksOf)
    for (const name of this.#byTerm.keys()) {
      if (name.length >= SAFE_PART && other.includes(name) && isElse(name)) return true
    }
    return false
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
