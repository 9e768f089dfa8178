import { MonitorDown, SquareArrowUp } from 'lucide-react'
import { Button } from '#src/ui/button.tsx'
import { installPromptEventStore } from './install-event.ts'

const isInstalled = () => matchMedia('(display-mode: standalone)').matches
/** Safari on phones and tablets has no event. iPads identify as Macintosh but have touch points. */
const isIos = () =>
  /iP(hone|ad|od)/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

export function InstallAppOffer() {
  const offer = installPromptEventStore.useValue()
  if (isInstalled()) return null
  if (offer) {
    const install = async () => {
      // The event can be used only once, so clear it; the browser may fire another one later.
      installPromptEventStore.set(undefined)
      await offer.prompt().catch(() => undefined)
    }
    return (
      <Button variant="quiet" icon={MonitorDown} className="w-full justify-start" onClick={() => void install()}>
        ติดตั้งเป็นแอป
      </Button>
    )
  }
  if (!isIos()) return null
  return (
    <p className="flex items-start gap-2 px-3 py-2 text-sm text-ink-muted">
      <SquareArrowUp aria-hidden className="mt-0.5 size-4 shrink-0" />
      ติดตั้งเป็นแอป: กดปุ่มแชร์ แล้วเลือก “เพิ่มไปยังหน้าจอโฮม”
    </p>
  )
}
