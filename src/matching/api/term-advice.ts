import {
  type KeywordTermAdvice,
  type KeywordTermAdviceList,
  keywordTermAdviceListSchema,
} from '#contract/matching/term-advice.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { keywordTermKeys } from '#src/api/http/keys.ts'
import { defineOptimisticChange, runOptimisticChange } from '#src/api/optimistic-changes.ts'

const PATH = 'organisations/me/term-advice'

/** Loads advice about terms whose matching projects the user always hides. The server computes it weekly. */
export const keywordTermAdviceQuery = apiQueryOptions('organisations/me/term-advice', {
  queryKey: keywordTermKeys.advice,
  schema: keywordTermAdviceListSchema,
  staleTime: 5 * 60_000,
})

type RefusalChange = { readonly advice: KeywordTermAdvice; readonly refused: boolean }

const isSame = (a: KeywordTermAdvice, b: KeywordTermAdvice) =>
  a.keyword_id === b.keyword_id && a.facet === b.facet && a.term === b.term

const refusalMutation = defineOptimisticChange<RefusalChange, KeywordTermAdviceList>({
  name: 'term-advice',
  layers: [
    {
      key: keywordTermKeys.advice,
      apply: ({ advice: all }: KeywordTermAdviceList, { advice, refused }) => {
        const otherAdvice = all.filter((item) => !isSame(item, advice))
        return { advice: refused ? otherAdvice : [...otherAdvice, advice] }
      },
      settle: (_before: KeywordTermAdviceList, response) => response,
    },
  ],
  scope: 'term-advice',
  tags: () => [],
  send: ({ advice: { keyword_id, facet, term }, refused }, call) =>
    call(PATH, { method: 'put', json: { keyword_id, facet, term, refused }, schema: keywordTermAdviceListSchema }),
})

/**
 * Dismisses a piece of advice permanently, or reverts that. Optimistic: if the server refuses, the change is rolled
 * back and the promise rejects.
 */
export async function dismissKeywordTermAdvice(advice: KeywordTermAdvice, refused: boolean): Promise<void> {
  await runOptimisticChange(refusalMutation, { advice, refused })
}
