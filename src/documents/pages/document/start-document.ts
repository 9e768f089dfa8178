import { startQuery } from '#src/api/http/query-client.ts'
import { prefetchDocumentFile } from '#src/documents/api/document-file.ts'
import { documentQuery } from '#src/documents/api/documents.ts'

export function startDocument({ params }: { readonly params: { readonly id: string; readonly doc: string } }): void {
  startQuery(documentQuery(params.doc))
  void prefetchDocumentFile(params.doc)
  // The renderer is larger than most documents, so load it in parallel with the first requests.
  import('unpdf/pdfjs').catch(() => undefined)
}
