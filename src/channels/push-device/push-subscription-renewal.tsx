import { useEffect } from 'react'
import { isDemoSession } from '#src/account/api/demo.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { pushStateQuery } from '#src/channels/api/channels.ts'
import { renewPushSubscription } from './browser-push-state.ts'

export function PushSubscriptionRenewal() {
  useEffect(() => {
    if (isDemoSession()) return
    // Ignore failures, such as being offline or a server without push, because the next start retries.
    renewPushSubscription(async () => (await queryClient.query(pushStateQuery)).public_key).catch(() => undefined)
  }, [])
  return null
}
