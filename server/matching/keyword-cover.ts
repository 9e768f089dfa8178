import { parseSearchExpression, type SearchNode } from '#contract/search/search-grammar.ts'
import { normaliseThai, removeSpacesNextToThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { getMatchingTerms, type MatchRuleKeyword } from './compile-match-rules.ts'

/**
 * A cheap prefilter: everything that a keyword matches contains at least one of `texts` or belongs to one of `units`
 * (search forms of departments and units). `everything` is set if there are no such texts, as with `<<word`.
 */
export type KeywordPrefilter = {
  readonly everything: boolean
  readonly texts: readonly string[]
  readonly units: readonly string[]
}

const NOTHING: KeywordPrefilter = { everything: false, texts: [], units: [] }
const EVERYTHING: KeywordPrefilter = { everything: true, texts: [], units: [] }

export function computeKeywordPrefilter(keyword: MatchRuleKeyword): KeywordPrefilter {
  const { list, word } = keyword
  if (list === 'deptsub_include') return { ...NOTHING, units: [toNormalisedSearchText(word)] }
  if (list === 'ai_include' || list === 'ai_exclude') {
    const { standalone, sides } = getMatchingTerms(list, keyword)
    // A matching name contains a term of every side, so search only the side with the fewest terms.
    const side = [...sides].sort((a, b) => a.length - b.length)[0] ?? []
    return covering([...standalone, ...side].map(({ text }) => toNormalisedSearchText(text)))
  }
  const parsed = parseSearchExpression(word)
  if (!parsed.ok) return NOTHING
  const texts = coverOfNode(parsed.node)
  return texts ? covering(texts) : EVERYTHING
}

const covering = (texts: readonly string[]): KeywordPrefilter => ({
  ...NOTHING,
  texts: texts.filter((text) => text !== ''),
})

function coverOfNode(node: SearchNode): string[] | undefined {
  switch (node.kind) {
    case 'term':
      return [node.quoted ? removeSpacesNextToThai(normaliseThai(node.text)) : toNormalisedSearchText(node.text)]
    case 'not':
      return node.keep ? coverOfNode(node.keep) : undefined
    case 'or': {
      const parts = node.parts.map(coverOfNode)
      return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? [])
    }
    case 'and': {
      // All parts of an `and` must match, so one is a prefilter; that with the longest texts is usually the rarest.
      const shortest = (texts: readonly string[]) => Math.min(...texts.map((text) => text.length))
      const parts = node.parts.flatMap((part) => {
        const texts = coverOfNode(part)
        return texts ? [texts] : []
      })
      return parts.sort((a, b) => shortest(b) - shortest(a))[0]
    }
  }
}

export function mergeKeywordPrefilters(covers: readonly KeywordPrefilter[]): KeywordPrefilter {
  if (covers.some((cover) => cover.everything)) return EVERYTHING
  const texts = [...new Set(covers.flatMap((cover) => cover.texts))]
  return {
    everything: false,
    texts:
      texts.length > MAX_TEXTS_TO_COMPARE
        ? texts
        : texts.filter((text) => !texts.some((shorter) => shorter !== text && text.includes(shorter))),
    units: [...new Set(covers.flatMap((cover) => cover.units))],
  }
}
const MAX_TEXTS_TO_COMPARE = 500
