import { Lock } from 'lucide-react'
import type { NotAllowedWindow } from '#contract/keyword/not-allowed-window.ts'

const clock = (time: string) => time.slice(0, 5)

/** Why nothing can be changed now, and until when. Times are those of Bangkok, whatever the device shows. */
export function LockedBanner({ window }: { window: NotAllowedWindow }) {
  return (
    <div
      role="status"
      className="flex items-start gap-3 rounded-card border border-updated-line bg-updated-soft px-4 py-3 text-updated"
    >
      <Lock aria-hidden className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0">
        <p className="font-medium">แก้รายการได้อีกครั้งเวลา {clock(window.not_allow_end_time)} น. (เวลาไทย)</p>
        <p className="text-sm">
          ทุกวัน {clock(window.not_allow_start_time)}–{clock(window.not_allow_end_time)} น. ระบบจับคู่โครงการรอบกลางคืน
          ระหว่างนี้ดูคำและรายงานได้ตามปกติ หน้านี้จะเปิดให้แก้เองเมื่อถึงเวลา
        </p>
      </div>
    </div>
  )
}
