import { WifiOff } from 'lucide-react'
import { useSyncExternalStore } from 'react'

function watch(tell: () => void) {
  window.addEventListener('online', tell)
  window.addEventListener('offline', tell)
  return () => {
    window.removeEventListener('online', tell)
    window.removeEventListener('offline', tell)
  }
}

/** Says that the device is offline; what is on screen stays readable. */
export function OfflineBar() {
  const online = useSyncExternalStore(watch, () => navigator.onLine)
  return (
    <div role="status">
      {!online && (
        <p className="flex items-center justify-center gap-2 bg-ink px-4 py-1.5 text-sm text-surface">
          <WifiOff aria-hidden className="size-4" />
          ไม่ได้เชื่อมต่ออินเทอร์เน็ต ข้อมูลที่เห็นอาจไม่ล่าสุด
        </p>
      )}
    </div>
  )
}
