import { queryOptions } from '@tanstack/react-query'
import { documentFactStatusesSchema, nextDocumentFactCheckSchema } from '#contract/documents/fact-statuses.ts'
import { apiQueryOptions } from '#src/api/http/api-query-options.ts'
import { fetchApiFile } from '#src/documents/api/documents.ts'
import { defineOperatorChange } from './define-operator-change.ts'

const key = ['operation', 'documents'] as const

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

export const submitDocumentFactVerdict = defineOperatorChange<Verdict>({
  name: 'fact-checked',
  scope: 'operated facts',
  failed: 'บันทึกผลตรวจไม่สำเร็จ',
  refetches: key,
  send: ({ fact, hash, isRight }) => [`documents/${fact}/checks`, 'post', { hash, is_right: isRight }],
})

export const setDocumentFactEnabled = defineOperatorChange<{ readonly fact: string; readonly on: boolean }>({
  name: 'fact-switched',
  scope: 'operated facts',
  failed: 'เปลี่ยนสวิตช์ไม่สำเร็จ',
  refetches: key,
  send: ({ fact, on }) => [`documents/${fact}/${on ? 'on' : 'off'}`, 'post'],
})
