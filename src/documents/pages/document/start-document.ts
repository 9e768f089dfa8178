import { startQuery } from '#src/api/http/query-client.ts'
import { readAhead } from '#src/documents/api/document-file.ts'
import { documentQuery } from '#src/documents/api/documents.ts'

export function startDocument({ params }: { readonly params: { readonly id: string; readonly doc: string } }): void {
  startQuery(documentQuery(params.doc))
  void readAhead(params.doc)
  // The renderer is larger than most documents, so load it in parallel with the first requests.
  import('unpdf/pdfjs').catch(() => undefined)
}
