import { readAhead } from '#src/api/document/document-file.ts'
import { documentQuery } from '#src/api/document/documents.ts'
import { startQuery } from '#src/api/http/query-client.ts'

export function startDocument({ params }: { readonly params: { readonly id: string; readonly doc: string } }): void {
  startQuery(documentQuery(params.doc))
  // Beside the facts, not behind them: the first page needs no more.
  void readAhead(params.doc)
  // What draws is larger than what is drawn: it comes beside the first answers.
  import('unpdf/pdfjs').catch(() => undefined)
}
