import { useEffect } from 'react'
import { isDemo } from '#src/account/api/demo.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { pushQuery } from '#src/channels/api/channels.ts'
import { renewSubscription } from './this-browser.ts'

/** Keeps this browser told after the operator changed the keys of push: it subscribes again by itself with the first screen. */
export function PushRenewal() {
  useEffect(() => {
    if (isDemo()) return
    // Without a network, or without push on this server, the next start tries again.
    renewSubscription(async () => (await queryClient.query(pushQuery)).public_key).catch(() => undefined)
  }, [])
  return null
}
