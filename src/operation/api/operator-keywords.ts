import {
  type OperatorKeywords,
  operatorKeywordsSchema,
  unapprovedKeywordImpactSchema,
} from '#contract/operation/operator-keywords.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineOptimisticChange } from '#src/api/optimistic-changes.ts'

export const operatorKeywordsQuery = apiQueryOptions('operation/keywords', {
  queryKey: ['operation', 'keywords', 'list'],
  schema: operatorKeywordsSchema,
  staleTime: 10_000,
})

const refresh = () => queryClient.invalidateQueries({ queryKey: operatorKeywordsQuery.queryKey })

export const unapprovedKeywordImpactQuery = (id: number) =>
  apiQueryOptions('operation/keywords/:id/impact', {
    queryKey: ['operation', 'keywords', 'impact', id],
    params: { id },
    schema: unapprovedKeywordImpactSchema,
    staleTime: 5 * 60_000,
  })

type KeywordDecision = { readonly id: number; readonly approve: boolean }

export const decideKeywordApproval = defineOptimisticChange<KeywordDecision, void>({
  name: 'keyword-judged',
  layers: [
    {
      key: operatorKeywordsQuery.queryKey,
      apply: ((cached: OperatorKeywords, { id }: KeywordDecision): OperatorKeywords => ({
        ...cached,
        waiting: cached.waiting.filter((keyword) => keyword.id !== id),
      })) as never,
    },
  ],
  scope: 'operated keywords',
  tags: () => [],
  message: { failed: 'ตัดสินคำไม่สำเร็จ' },
  send: async ({ id, approve }, call) => {
    await call(`operation/keywords/${id}/${approve ? 'approve' : 'reject'}`, { method: 'post' })
    await refresh()
  },
})

type BlacklistChange = { readonly word: string; readonly add: boolean }

export const updateKeywordBlacklist = defineOptimisticChange<BlacklistChange, void>({
  name: 'blacklist-changed',
  layers: [],
  scope: 'operated keywords',
  tags: () => [],
  send: async ({ word, add }, call) => {
    await call(`operation/blacklist${add ? '' : '/remove'}`, { method: 'post', json: { word } })
    await refresh()
  },
})
