import { RefreshCw } from 'lucide-react'
import { useEffect, useSyncExternalStore } from 'react'
import type { User } from '#contract/account/user.ts'
import { OPERATOR_ROLE } from '#contract/reserved-organisations.ts'
import { isDemo } from '#src/account/api/demo.ts'
import { startStoringAnswers } from '#src/api/offline/kept-answers.ts'
import { LineButton, StatusLine } from '#src/ui/status-line.tsx'
import { followUpdates, updateOffer } from './app-update.ts'
import { WaitingChanges } from './waiting-changes.tsx'

/** What an app on a phone needs, once the first screen is there: the worker, what is read and done without a network, and the number on its icon. */
export function AppHost({ user, hasReport }: { user: User; hasReport: boolean }) {
  // Nothing of the demo, whose visitors share devices, and nothing of operators stays on one.
  const isKept = !isDemo() && user.role !== OPERATOR_ROLE
  useEffect(followUpdates, [])
  useEffect(() => (isKept ? startStoringAnswers() : undefined), [isKept])
  useEffect(() => {
    if (!isKept) return
    let isGone = false
    let stops: readonly (() => void)[] = []
    Promise.all([import('#src/shell/installed-app/outbox.ts'), import('#src/shell/installed-app/ask-ahead.ts')]).then(
      ([{ startStoringChanges }, { askAhead }]) => {
        // Everything prefetched belongs to the report; the server refuses it to budget-only accounts.
        if (!isGone) stops = [startStoringChanges(), ...(hasReport ? [askAhead()] : [])]
      },
      // Without its code changes are sent as long as the tab is open.
      () => undefined,
    )
    return () => {
      isGone = true
      for (const stop of stops) stop()
    }
  }, [isKept, hasReport])
  useBadge(user.notification_updated_status.notifications.filter(({ read }) => !read).length)
  return (
    <>
      <UpdateLine />
      <WaitingChanges isKept={isKept} />
    </>
  )
}

/** The number of unread notifications on the icon, where devices show one. Nobody's when nobody is signed in. */
function useBadge(unread: number) {
  useEffect(() => {
    const { setAppBadge, clearAppBadge } = navigator as Partial<Navigator>
    if (!setAppBadge || !clearAppBadge) return
    setAppBadge.call(navigator, unread).catch(() => undefined)
    return () => void clearAppBadge.call(navigator).catch(() => undefined)
  }, [unread])
}

function UpdateLine() {
  const update = useSyncExternalStore(updateOffer.subscribe, updateOffer.get)
  return (
    <div role="status" className="print:hidden">
      {update && (
        <StatusLine calm icon={RefreshCw} words="มีเวอร์ชันใหม่" action={{ label: 'อัปเดต', run: update }}>
          <LineButton label="ไว้ก่อน" run={() => updateOffer.set(undefined)} />
        </StatusLine>
      )}
    </div>
  )
}
