import type { KeywordListCode } from '#contract/account/organisation.ts'
import { findKeywordProblem, KEYWORD_LIST_RULES, toKeywordKey } from '#contract/matching/keyword.ts'
import { parseSearchExpression, type SearchNode } from '#contract/search/search-grammar.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { CheckedKeywordProblem } from './assert-no-word-problems.ts'
import { isAiKeywordList, normaliseKeywordText } from './keyword-list-entries.ts'
import {
  formatKeywordBlacklistText,
  formatKeywordLimitText,
  getKeywordSaveProblemText,
  type KeywordSaveProblemCode,
} from './keyword-problem-texts.ts'
import {
  findAllAgencyOrUnitNames,
  findBlacklistedWords,
  findExactAgencyOrUnitNames,
  type KeywordListState,
} from './queries.ts'

export type CandidateKeyword = {
  readonly list: KeywordListCode
  readonly index: number
  readonly word: string
  readonly group_id?: number | null | undefined
  readonly id?: number
}

export type KeywordValidationContext = {
  readonly blacklist: ReadonlySet<string>
  readonly units: ReadonlyMap<string, string>
}

/**
 * Loads the blacklist and the unit names. Call outside the transaction, because this data belongs to no organisation.
 */
export async function loadKeywordValidationContext(
  db: Db,
  words: readonly Pick<CandidateKeyword, 'list' | 'word'>[],
): Promise<KeywordValidationContext> {
  const unitNames = words.filter(({ list }) => list === 'deptsub_include').map(({ word }) => word)
  return { blacklist: await findBlacklistedWords(db), units: await loadUnits(db, unitNames) }
}

async function loadUnits(db: Db, words: readonly string[]): Promise<Map<string, string>> {
  const units = new Map<string, string>()
  if (words.length === 0) return units
  for (const name of await findExactAgencyOrUnitNames(db, words.map(normaliseKeywordText)))
    units.set(toKeywordKey(name), name)
  if (words.every((word) => units.has(toKeywordKey(word)))) return units
  for (const name of await findAllAgencyOrUnitNames(db)) {
    const key = toKeywordKey(name)
    if (!units.has(key)) units.set(key, name)
  }
  return units
}

export function checkCandidateKeywords(
  words: readonly CandidateKeyword[],
  lists: KeywordListState,
  reference: KeywordValidationContext,
): CheckedKeywordProblem[] {
  const judge = new WordJudge(words, lists, reference)
  return words.flatMap((word) => judge.problemOf(word) ?? [])
}

export function checkKeywordLimits(
  words: readonly Pick<CandidateKeyword, 'list' | 'word'>[],
  lists: KeywordListState,
): CheckedKeywordProblem[] {
  const judge = new WordJudge([], lists, { blacklist: new Set(), units: new Map() })
  return words.flatMap(({ list, word }, index) => judge.overLimit({ list, word, index }) ?? [])
}

class WordJudge {
  readonly #lists: KeywordListState
  readonly #reference: KeywordValidationContext
  readonly #taken: ReadonlySet<string>
  readonly #checked = new Set<string>()
  readonly #used = new Map<KeywordListCode, number>()
  readonly #groups: ReadonlySet<number>

  constructor(words: readonly CandidateKeyword[], lists: KeywordListState, reference: KeywordValidationContext) {
    this.#lists = lists
    this.#reference = reference
    const changing = new Set(words.flatMap(({ id }) => id ?? []))
    const staying = lists.keywords.filter(({ id }) => !changing.has(id))
    this.#taken = new Set(staying.map(wordKeyOf))
    this.#groups = new Set(lists.groups.map(({ id }) => id))
    for (const { list } of lists.keywords) this.#used.set(list, (this.#used.get(list) ?? 0) + 1)
  }

  problemOf(word: CandidateKeyword): CheckedKeywordProblem | undefined {
    const refuse = (code: KeywordSaveProblemCode, message: string, position = 0): CheckedKeywordProblem => ({
      ...lineOf(word),
      code,
      position,
      message,
    })
    const checked = findKeywordProblem(word.list, word.word)
    if (!checked.ok) return refuse(checked.code, getKeywordSaveProblemText(checked.code), checked.position)
    const key = wordKeyOf(word)
    if (this.#checked.has(key)) return refuse('repeated', getKeywordSaveProblemText('repeated'))
    this.#checked.add(key)
    if (this.#taken.has(key)) return refuse('duplicate', getKeywordSaveProblemText('duplicate'))
    const blacklisted = termsOf(word).filter((term) => this.#reference.blacklist.has(toKeywordKey(term)))
    if (blacklisted.length > 0)
      return { ...refuse('blacklisted', formatKeywordBlacklistText(blacklisted)), blacklisted }
    if (word.list === 'deptsub_include' && !this.#reference.units.has(toKeywordKey(word.word)))
      return refuse('unknown_department', getKeywordSaveProblemText('unknown_department'))
    if (typeof word.group_id === 'number' && !this.#groups.has(word.group_id))
      return refuse('unknown_group', getKeywordSaveProblemText('unknown_group'))
    return word.id === undefined ? this.overLimit(word) : undefined
  }

  overLimit(word: CandidateKeyword): CheckedKeywordProblem | undefined {
    const { list } = word
    const used = (this.#used.get(list) ?? 0) + 1
    const { config, keywords } = this.#lists
    if (used <= config[KEYWORD_LIST_RULES[list].limit]) {
      this.#used.set(list, used)
      return undefined
    }
    const stored = keywords.filter((keyword) => keyword.list === list).length
    return { ...lineOf(word), code: 'limit', position: 0, message: formatKeywordLimitText(list, config, stored) }
  }
}

const lineOf = ({ list, index, word }: CandidateKeyword) => ({ list, index, word })

const wordKeyOf = ({ list, word }: Pick<CandidateKeyword, 'list' | 'word'>) => `${list} ${toKeywordKey(word)}`

function termsOf({ list, word }: CandidateKeyword): string[] {
  if (list === 'deptsub_include') return []
  if (isAiKeywordList(list)) return [word.trim()]
  const parsed = parseSearchExpression(word)
  return parsed.ok ? termsIn(parsed.node) : []
}

function termsIn(node: SearchNode | null): string[] {
  if (node === null) return []
  if (node.kind === 'term') return [node.text]
  return node.kind === 'not' ? [...termsIn(node.keep), ...termsIn(node.drop)] : node.parts.flatMap(termsIn)
}
