import { startQuery } from '#src/api/http/query-client.ts'
import { shortLinkSearchQuery } from '#src/report/api/short-links.ts'

export function startShortLink({ params }: { readonly params: { readonly code: string } }): void {
  startQuery(shortLinkSearchQuery(params.code))
}
