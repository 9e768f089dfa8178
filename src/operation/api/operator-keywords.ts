import { queryOptions } from '@tanstack/react-query'
import {
  type OperatorKeywords,
  operatorKeywordsSchema,
  waitingKeywordImpactSchema,
} from '#contract/operation/operator-keywords.ts'
import { sendApiRequest } from '#src/api/http/client.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineOptimisticChange } from '#src/api/optimistic-changes.ts'

const key = ['operation', 'keywords', 'list'] as const
const refresh = () => queryClient.invalidateQueries({ queryKey: key })

export const operatorKeywordsQuery = queryOptions({
  queryKey: key,
  queryFn: ({ signal }) => sendApiRequest('operation/keywords', { schema: operatorKeywordsSchema, signal }),
  staleTime: 10_000,
})

export const waitingKeywordImpactQuery = (id: number) =>
  queryOptions({
    queryKey: ['operation', 'keywords', 'impact', id],
    queryFn: ({ signal }) =>
      sendApiRequest(`operation/keywords/${id}/impact`, { schema: waitingKeywordImpactSchema, signal }),
    staleTime: 5 * 60_000,
  })

type KeywordDecision = { readonly id: number; readonly approve: boolean }

export const decideKeywordApproval = defineOptimisticChange<KeywordDecision, void>({
  name: 'keyword-judged',
  layers: [
    {
      key,
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
