import { startQuery } from '#src/api/http/query-client.ts'
import { readAhead } from '#src/documents/api/document-file.ts'
import { documentQuery } from '#src/documents/api/documents.ts'

export function startDocument({ params }: { readonly params: { readonly id: string; readonly doc: string } }): void {
  startQuery(documentQuery(params.doc))
  // Beside the facts, not behind them: the first page needs no more.
  void readAhead(params.doc)
  // What draws is larger than what is drawn: it comes beside the first answers.
  import('unpdf/pdfjs').catch(() => undefined)
}
