import { resetLinkQuery } from '#src/account/api/passwords.ts'
import { startQuery } from '#src/api/http/query-client.ts'

export function startResetLink({ params }: { readonly params: { readonly token: string } }): void {
  startQuery(resetLinkQuery(params.token))
}
