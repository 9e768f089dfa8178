import { readFileSync } from 'node:fs'
import path from 'node:path'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { TERM_MODEL_FOLDER } from './term-model.ts'
import { toLoanWordSpellingKey } from './to-loan-word-spelling-key.ts'

/** One line of `model/concepts.txt`: synonyms (`equal`) and kinds of the concept (`narrower`). */
export type DictionaryConcept = {
  readonly name: string
  readonly equal: readonly string[]
  readonly narrower: readonly string[]
}

/** Minimum length for comparing loose spellings. Shorter words of different meaning share a loose spelling. */
const MIN_LOOSE_LENGTH = 5

/** Minimum length of a name found inside a term. Shorter names occur in longer words by chance. */
const MIN_PART_LENGTH = 7

export class ConceptDictionary {
  readonly concepts: readonly DictionaryConcept[]
  readonly #byTerm = new Map<string, DictionaryConcept[]>()
  readonly #byLoose = new Map<string, DictionaryConcept[]>()

  constructor(text: string) {
    this.concepts = text
      .split('\n')
      .filter((line) => line.trim() !== '' && !line.startsWith('#'))
      .map(parseConcept)
    for (const concept of this.concepts) {
      for (const term of concept.equal) {
        this.#byTerm.set(term, [...(this.#byTerm.get(term) ?? []), concept])
        const loose = toLoanWordSpellingKey(term)
        if (loose.length >= MIN_LOOSE_LENGTH) this.#byLoose.set(loose, [...(this.#byLoose.get(loose) ?? []), concept])
      }
    }
  }

  conceptsOf(term: string): readonly DictionaryConcept[] {
    return this.#byTerm.get(term) ?? this.#byLoose.get(toLoanWordSpellingKey(term)) ?? []
  }

  isUnrelated(term: string, otherText: string): boolean {
    const termConcepts = this.conceptsOf(term)
    const words = this.wordsFor(term)
    if (words.some((word) => otherText.includes(word))) return false
    const isTermConcept = (concept: DictionaryConcept) => termConcepts.includes(concept)
    const otherConcepts = this.conceptsOf(otherText)
    if (otherConcepts.length > 0 && !otherConcepts.some(isTermConcept)) return true
    // `ล้างแอร์` mentions the concept `แอร์`, so `ล้างเครื่องปรับอากาศ` is not a different thing.
    const mentions = (concept: DictionaryConcept) =>
      isTermConcept(concept) || concept.equal.some((word) => term.includes(word))
    const isOtherConcept = (name: string) => !this.conceptsOf(name).some(mentions)
    for (const name of this.#byTerm.keys()) {
      if (name.length >= MIN_PART_LENGTH && otherText.includes(name) && isOtherConcept(name)) return true
    }
    return false
  }

  wordsFor(term: string): string[] {
    const words = this.conceptsOf(term).flatMap(({ equal, narrower }) => [...equal, ...narrower])
    return [...new Set(words)].filter((word) => word !== term)
  }
}

function parseConcept(line: string): DictionaryConcept {
  const [name, words] = line.split(' : ')
  if (name === undefined || words === undefined) throw new Error(`invalid line in the concept dictionary: ${line}`)
  const [equal, narrower] = words.split(' > ')
  const list = (terms: string | undefined) =>
    (terms ?? '')
      .split('|')
      .map(toNormalisedSearchText)
      .filter((term) => term !== '')
  return { name: name.trim(), equal: list(equal), narrower: list(narrower) }
}

let shipped: ConceptDictionary | undefined

export function loadConceptDictionary(): ConceptDictionary {
  shipped ??= new ConceptDictionary(readFileSync(path.join(TERM_MODEL_FOLDER, 'concepts.txt'), 'utf8'))
  return shipped
}
