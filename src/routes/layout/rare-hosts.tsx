import { useSyncExternalStore } from 'react'
import { PushRenewal } from '#src/channels/push-device/push-renewal.tsx'
import { ConflictHost } from '#src/team/pursuit/conflict-host.tsx'
import { pursuitConflicts } from '#src/team/pursuit/conflicts.ts'

/** True if push notifications are permitted; most browsers have no permission and skip loading this code. */
const isPushAllowed = () => 'Notification' in window && Notification.permission === 'granted'

export function LazyHosts() {
  const hasConflicts = useSyncExternalStore(pursuitConflicts.subscribe, () => pursuitConflicts.get().length > 0)
  return (
    <>
      {hasConflicts && <ConflictHost />}
      {isPushAllowed() && <PushRenewal />}
    </>
  )
}
