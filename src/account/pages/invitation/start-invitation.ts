import { invitationQuery } from '#src/account/api/members.ts'
import { startQuery } from '#src/api/http/query-client.ts'

export function startInvitation({ params }: { readonly params: { readonly token: string } }): void {
  startQuery(invitationQuery(params.token))
}
