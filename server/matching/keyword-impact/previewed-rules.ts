import { KEYWORD_LIST_CODES, type KeywordListCode } from '#contract/account/organisation.ts'
import { findKeywordProblem, type KeywordProblem, toKeywordKey } from '#contract/matching/keyword.ts'
import type { KeywordPreviewRequest } from '#contract/matching/keyword-requests.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import type { MatchRuleKeyword, MatchRuleTerm, OrganisationMatchRules } from '#server/matching/compile-match-rules.ts'
import { getKeywordSaveProblemText } from '#server/matching/keyword/keyword-problem-texts.ts'

export type WordExpander = (word: string) => Promise<{
  readonly terms: readonly (MatchRuleTerm & { readonly state: 'auto' | 'suggested' })[]
}>

type AddedWord = {
  readonly list: KeywordListCode
  readonly index: number
  readonly word: string
  readonly terms?: readonly string[] | undefined
}

function addedWords({ add }: KeywordPreviewRequest): AddedWord[] {
  return KEYWORD_LIST_CODES.flatMap((list) =>
    (add[list] ?? []).map((entry, index) =>
      typeof entry === 'string' ? { list, index, word: entry } : { list, index, word: entry.word, terms: entry.terms },
    ),
  )
}

export function findPreviewProblems(request: KeywordPreviewRequest): KeywordProblem[] {
  return addedWords(request).flatMap(({ list, index, word }) => {
    const checked = findKeywordProblem(list, word)
    if (checked.ok) return []
    const { code, position } = checked
    return [{ list, index, word, code, position, message: getKeywordSaveProblemText(code) }]
  })
}

async function termsOfAdded({ word, terms }: AddedWord, expand: WordExpander): Promise<MatchRuleTerm[]> {
  const { terms: offered } = await expand(word)
  if (!terms) return offered.filter(({ state }) => state === 'auto').map((term) => ({ ...term }))
  const selected = new Set(terms.map(toNormalisedSearchText))
  const ruleTerms = offered.map((term): MatchRuleTerm => {
    // The keyword itself is always active (contract/matching/keyword-term.ts).
    const acts = term.source === 'literal' || selected.has(toNormalisedSearchText(term.term))
    return { ...term, state: acts ? 'approved' : 'rejected' }
  })
  const names = new Set(offered.map(({ term }) => toNormalisedSearchText(term)))
  const userTerms = terms.filter((term) => !names.has(toNormalisedSearchText(term)))
  return [
    ...ruleTerms,
    ...userTerms.map((term): MatchRuleTerm => ({ term, source: 'user', state: 'approved', facet: 0 })),
  ]
}

/** Returns the resulting rules and the added words, which get negative ids because they are not stored. */
export async function buildPreviewMatchRules(
  rules: OrganisationMatchRules,
  request: KeywordPreviewRequest,
  expand: WordExpander,
): Promise<{ readonly after: OrganisationMatchRules; readonly added: readonly MatchRuleKeyword[] }> {
  const removed = new Set(request.remove ?? [])
  const remaining = rules.keywords.filter(({ id }) => !removed.has(id))
  const present = new Set(remaining.map(({ list, word }) => `${list} ${toKeywordKey(word)}`))
  const added: MatchRuleKeyword[] = []
  for (const entry of addedWords(request)) {
    const { list, word } = entry
    const key = `${list} ${toKeywordKey(word)}`
    if (present.has(key)) continue
    present.add(key)
    const isAi = list === 'ai_include' || list === 'ai_exclude'
    added.push({
      id: -1 - added.length,
      list,
      word,
      approved: true,
      terms: isAi ? await termsOfAdded(entry, expand) : null,
    })
  }
  const switches = Object.fromEntries(Object.entries(request.switches ?? {}).filter(([, on]) => on !== undefined))
  return { after: { ...rules, config: { ...rules.config, ...switches }, keywords: [...remaining, ...added] }, added }
}
