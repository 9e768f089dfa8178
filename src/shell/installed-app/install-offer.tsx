import { MonitorDown, SquareArrowUp } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'

/** What a browser offers once, in which `public/theme.js` keeps it. */
type InstallEvent = Event & { prompt(): Promise<{ readonly outcome: 'accepted' | 'dismissed' }> }
declare global {
  interface Window {
    installOffer?: InstallEvent | undefined
  }
}

const isInstalled = () => matchMedia('(display-mode: standalone)').matches
/** Safari on phones and tablets, where people install by hand; a tablet calls itself a desk, and has fingers. */
const isIos = () =>
  /iP(hone|ad|od)/.test(navigator.userAgent) || (/Macintosh/.test(navigator.userAgent) && navigator.maxTouchPoints > 1)

/** In the account menu, where it does not disturb: installs the app, or says how where a browser has no button for it. Nothing once it is installed. */
export function InstallOffer() {
  const [offer, setOffer] = useState(() => window.installOffer)
  if (isInstalled()) return null
  if (offer) {
    const install = async () => {
      // It may be asked once; the browser offers it again in its own time.
      window.installOffer = undefined
      setOffer(undefined)
      await offer.prompt().catch(() => undefined)
    }
    return (
      <Button look="quiet" icon={MonitorDown} className="w-full justify-start" onClick={() => void install()}>
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
