import { queryOptions } from '@tanstack/react-query'
import { documentFactStatusesSchema, nextDocumentFactCheckSchema } from '#contract/documents/fact-statuses.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { defineOptimisticChange } from '#src/api/optimistic-changes.ts'
import { fetchApiFile } from '#src/documents/api/documents.ts'

const key = ['operation', 'documents'] as const
const refresh = () => queryClient.invalidateQueries({ queryKey: key })

export const operatorDocumentFactsQuery = apiQueryOptions('operation/documents', {
  queryKey: [...key, 'facts'],
  schema: documentFactStatusesSchema,
  staleTime: 10_000,
})

export const nextDocumentFactCheckQuery = (fact: string) =>
  apiQueryOptions('operation/documents/:fact/next', {
    queryKey: [...key, 'next', fact],
    params: { fact },
    schema: nextDocumentFactCheckSchema,
    select: ({ check }) => check,
    staleTime: 10_000,
  })

export const documentFactCheckFileQuery = (hash: string) =>
  queryOptions({
    queryKey: ['operation', 'document file', hash],
    queryFn: ({ signal }) => fetchApiFile(`operation/documents/files/${hash}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
    // A file is up to 50 MB, so evict it as soon as it is unused.
    gcTime: 0,
    structuralSharing: false,
  })

type Verdict = { readonly fact: string; readonly hash: string; readonly isRight: boolean }

export const submitDocumentFactVerdict = defineOptimisticChange<Verdict, void>({
  name: 'fact-checked',
  layers: [],
  scope: 'operated facts',
  tags: () => [],
  message: { failed: 'บันทึกผลตรวจไม่สำเร็จ' },
  send: async ({ fact, hash, isRight }, call) => {
    await call(`operation/documents/${fact}/checks`, { method: 'post', json: { hash, is_right: isRight } })
    await refresh()
  },
})

export const setDocumentFactEnabled = defineOptimisticChange<{ readonly fact: string; readonly on: boolean }, void>({
  name: 'fact-switched',
  layers: [],
  scope: 'operated facts',
  tags: () => [],
  message: { failed: 'เปลี่ยนสวิตช์ไม่สำเร็จ' },
  send: async ({ fact, on }, call) => {
    await call(`operation/documents/${fact}/${on ? 'on' : 'off'}`, { method: 'post' })
    await refresh()
  },
})
