import { tokeniseSearch } from '#contract/search/search-tokens.ts'

export function HighlightedKeywordExpression({ word }: { word: string }) {
  const tokens = tokeniseSearch(word)
  if (!Array.isArray(tokens)) return word
  const signs = tokens.filter(({ kind }) => kind !== 'term')
  if (signs.length === 0) return word
  const parts = signs.flatMap(({ kind, position }, index) => {
    const before = signs[index - 1]
    return [
      word.slice(before ? before.position + before.kind.length : 0, position),
      <span key={position} className={kind === '<<' ? 'text-urgent' : 'text-accent-ink'}>
        {kind}
      </span>,
    ]
  })
  const last = signs.at(-1)!
  return [...parts, word.slice(last.position + last.kind.length)]
}
