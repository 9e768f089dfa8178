import { Link } from '@tanstack/react-router'
import { Info } from 'lucide-react'
import { getOperatorContactUrl } from '#src/lib/contact-url.ts'

export function DemoBanner() {
  const contact = getOperatorContactUrl()
  return (
    <div
      role="note"
      className="flex items-start justify-center gap-2 border-b border-updated-line bg-updated-soft px-4 py-1.5 text-sm text-updated print:hidden"
    >
      <Info aria-hidden className="mt-0.5 size-4 shrink-0 max-sm:hidden" />
      <p>
        กำลังดูข้อมูลตัวอย่าง ซึ่งอาจไม่ตรงกับคำค้นของบริษัทคุณ{' '}
        {contact === undefined ? (
          <Link to="/contact" className={LINK_CLASSES}>
            ติดต่อทีมงานเพื่อทดลองใช้เต็มรูปแบบฟรี
          </Link>
        ) : (
          <a
            href={contact}
            className={LINK_CLASSES}
            {...(contact.startsWith('https:') ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
          >
            ติดต่อทีมงานเพื่อทดลองใช้เต็มรูปแบบฟรี
          </a>
        )}{' '}
        หรือ{' '}
        <Link to="/login" className={LINK_CLASSES}>
          เข้าสู่ระบบ
        </Link>
      </p>
    </div>
  )
}

const LINK_CLASSES = 'font-medium underline sm:whitespace-nowrap underline-offset-2'
