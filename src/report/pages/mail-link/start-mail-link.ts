import { startQuery } from '#src/api/http/query-client.ts'
import { mailLinkQuery } from '#src/report/api/mail-links.ts'

export function startMailLink({ location }: { readonly location: { readonly hash: string } }): void {
  startQuery(mailLinkQuery(location.hash))
}
