import { useSyncExternalStore } from 'react'
import { PushSubscriptionRenewal } from '#src/channels/push-device/push-subscription-renewal.tsx'
import { PursuitConflictDialogHost } from '#src/team/pursuit/pursuit-conflict-dialog-host.tsx'
import { pursuitConflictStore } from '#src/team/pursuit/pursuit-conflict-store.ts'

/** True if push notifications are permitted; most browsers have no permission and skip loading this code. */
const isPushAllowed = () => 'Notification' in window && Notification.permission === 'granted'

export function LazyAppServices() {
  const hasConflicts = useSyncExternalStore(pursuitConflictStore.subscribe, () => pursuitConflictStore.get().length > 0)
  return (
    <>
      {hasConflicts && <PursuitConflictDialogHost />}
      {isPushAllowed() && <PushSubscriptionRenewal />}
    </>
  )
}
