import { Link } from '@tanstack/react-router'
import { Info } from 'lucide-react'

/** Shown on every screen of the demo organisation (specification section 1). */
export function DemoBanner() {
  return (
    <div
      role="note"
      className="flex items-start justify-center gap-2 border-b border-updated-line bg-updated-soft px-4 py-1.5 text-sm text-updated"
    >
      <Info aria-hidden className="mt-0.5 size-4 shrink-0" />
      <p>
        กำลังดูข้อมูลตัวอย่าง ซึ่งอาจไม่ตรงกับคำค้นของบริษัทคุณ <span className="font-medium">ติดต่อทีมงานเพื่อทดลองใช้เต็มรูปแบบฟรี</span> หรือ{' '}
        <Link to="/login" className="font-medium underline">
          เข้าสู่ระบบ
        </Link>
      </p>
    </div>
  )
}
