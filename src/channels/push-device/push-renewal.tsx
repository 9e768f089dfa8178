import { useEffect } from 'react'
import { isDemo } from '#src/account/api/demo.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { pushQuery } from '#src/channels/api/channels.ts'
import { renewSubscription } from './this-browser.ts'

/** Renews this browser's push subscription after the operator changed the push keys. */
export function PushRenewal() {
  useEffect(() => {
    if (isDemo()) return
    // When offline, or if the server has no push, the next start retries.
    renewSubscription(async () => (await queryClient.query(pushQuery)).public_key).catch(() => undefined)
  }, [])
  return null
}
