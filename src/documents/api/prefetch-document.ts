import type { QueryClient } from '@tanstack/react-query'
import { startQueryInBackground } from '#src/api/http/query-client.ts'
import { prefetchDocumentFile } from './document-file.ts'
import { documentQuery } from './documents.ts'

/** Prefetches what the document page shows first, but not the code of the page. */
export function prefetchDocument(queryClient: QueryClient, id: string): void {
  startQueryInBackground(queryClient, documentQuery(id))
  void prefetchDocumentFile(id)
  // The viewer is larger than most documents, so it loads in parallel with the first requests.
  import('unpdf/pdfjs').catch(() => undefined)
}
