import {
  type OperatorKeywords,
  operatorKeywordsSchema,
  unapprovedKeywordImpactSchema,
} from '#contract/operation/operator-keywords.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { defineOperatorChange } from './define-operator-change.ts'

export const operatorKeywordsQuery = apiQueryOptions('operation/keywords', {
  queryKey: ['operation', 'keywords', 'list'],
  schema: operatorKeywordsSchema,
  staleTime: 10_000,
})

export const unapprovedKeywordImpactQuery = (id: number) =>
  apiQueryOptions('operation/keywords/:id/impact', {
    queryKey: ['operation', 'keywords', 'impact', id],
    params: { id },
    schema: unapprovedKeywordImpactSchema,
    staleTime: 5 * 60_000,
  })

export const decideKeywordApproval = defineOperatorChange<{ readonly id: number; readonly approve: boolean }>({
  name: 'keyword-judged',
  layer: {
    key: operatorKeywordsQuery.queryKey,
    apply: (cached: OperatorKeywords, { id }): OperatorKeywords => ({
      ...cached,
      waiting: cached.waiting.filter((keyword) => keyword.id !== id),
    }),
  },
  scope: 'operated keywords',
  failed: 'ตัดสินคำไม่สำเร็จ',
  refetches: operatorKeywordsQuery.queryKey,
  send: ({ id, approve }) => [`keywords/${id}/${approve ? 'approve' : 'reject'}`, 'post'],
})

export const updateKeywordBlacklist = defineOperatorChange<{ readonly word: string; readonly add: boolean }>({
  name: 'blacklist-changed',
  scope: 'operated keywords',
  refetches: operatorKeywordsQuery.queryKey,
  send: ({ word, add }) => [`blacklist${add ? '' : '/remove'}`, 'post', { word }],
})
