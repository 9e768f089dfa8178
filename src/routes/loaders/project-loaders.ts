import { startQueryInBackground } from '#src/api/http/query-client.ts'
import { prefetchDocument } from '#src/documents/api/document-file.ts'
import { projectDetailQuery } from '#src/report/api/project-details.ts'
import { shortLinkSearchQuery } from '#src/report/api/short-links.ts'
import type { LoaderContext } from './loader-context.ts'

export function shortLinkLoader({
  context: { queryClient },
  params,
}: LoaderContext<object, { readonly code: string }>): void {
  startQueryInBackground(queryClient, shortLinkSearchQuery(params.code))
}

export function projectLoader({
  context: { queryClient },
  params,
}: LoaderContext<object, { readonly id: string }>): void {
  startQueryInBackground(queryClient, projectDetailQuery(params.id))
}

export function documentLoader({
  context: { queryClient },
  params,
}: LoaderContext<object, { readonly id: string; readonly doc: string }>): void {
  prefetchDocument(queryClient, params.doc)
}
