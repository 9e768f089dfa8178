import { resetLinkQuery } from '#src/api/account/passwords.ts'
import { startQuery } from '#src/api/http/query-client.ts'

/** Whether the link works. */
export function startResetLink({ params }: { readonly params: { readonly token: string } }): void {
  startQuery(resetLinkQuery(params.token))
}
