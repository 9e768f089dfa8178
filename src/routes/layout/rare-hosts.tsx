import { useSyncExternalStore } from 'react'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { pursuitConflicts } from '#src/team/pursuit/conflicts.ts'

const ConflictHost = lazyComponent(() => import('#src/team/pursuit/conflict-host.tsx'), 'ConflictHost')
const PushRenewal = lazyComponent(() => import('#src/channels/push-device/push-renewal.tsx'), 'PushRenewal')

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
