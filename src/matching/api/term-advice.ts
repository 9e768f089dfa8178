import {
  type KeywordTermAddition,
  type KeywordTermAdvice,
  type KeywordTermAdviceList,
  keywordTermAdviceListSchema,
} from '#contract/matching/term-advice.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { keywordTermKeys } from '#src/api/http/keys.ts'
import { defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'

const PATH = 'organisations/me/term-advice'

export const keywordTermAdviceQuery = apiQueryOptions('organisations/me/term-advice', {
  queryKey: keywordTermKeys.advice,
  schema: keywordTermAdviceListSchema,
  staleTime: 5 * 60_000,
})

type AnyAdvice = KeywordTermAdvice | KeywordTermAddition
type RefusalChange = { readonly advice: AnyAdvice; readonly refused: boolean }

const isSame = (a: AnyAdvice, b: AnyAdvice) => a.keyword_id === b.keyword_id && a.facet === b.facet && a.term === b.term

function withRefusal<T extends AnyAdvice>(all: readonly T[], advice: T, isRefused: boolean): T[] {
  const otherAdvice = all.filter((item) => !isSame(item, advice))
  return isRefused ? otherAdvice : [...otherAdvice, advice]
}

const refusalMutation = defineOptimisticChange<RefusalChange, KeywordTermAdviceList>({
  name: 'term-advice',
  layers: [
    {
      key: keywordTermKeys.advice,
      apply: (lists: KeywordTermAdviceList, { advice, refused }) =>
        'hidden' in advice
          ? { ...lists, advice: withRefusal(lists.advice, advice, refused) }
          : { ...lists, additions: withRefusal(lists.additions, advice, refused) },
      settle: (_before: KeywordTermAdviceList, response) => response,
    },
  ],
  scope: 'term-advice',
  tags: () => [],
  send: ({ advice: { keyword_id, facet, term }, refused }, call) =>
    call(PATH, { method: 'put', json: { keyword_id, facet, term, refused }, schema: keywordTermAdviceListSchema }),
})

/** Dismisses the advice permanently, or reverts that. A refusal rolls back and rejects. */
export async function dismissKeywordTermAdvice(advice: AnyAdvice, refused: boolean): Promise<void> {
  await runOptimisticChange(refusalMutation, { advice, refused })
}
