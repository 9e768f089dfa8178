import { Link } from '@tanstack/react-router'
import { getOperatorContactUrl } from '#src/lib/contact-url.ts'
import { PlainLayout } from '#src/shell/navigation/plain-layout.tsx'
import { getButtonClasses } from '#src/ui/button.tsx'
import { TEXT_LINK_CLASSES } from '#src/ui/text-link-classes.ts'

function contactLabel(url: string): string {
  const [, address = ''] = /^(?:mailto|tel):([^?]*)/.exec(url) ?? []
  if (url.startsWith('mailto:')) return `ส่งอีเมลถึง ${address}`
  return url.startsWith('tel:') ? `โทร ${address}` : 'ไปหน้าติดต่อทีมงาน'
}

export function ContactPage() {
  const url = getOperatorContactUrl()
  return (
    <PlainLayout>
      <div className="space-y-4">
        <h1 className="text-2xl font-semibold">ติดต่อทีมงาน</h1>
        <p className="text-ink-muted">ขอทดลองใช้เต็มรูปแบบฟรีกับคำค้นของบริษัทคุณ บอกทีมงานว่า</p>
        <ul className="list-disc space-y-1 pl-5 text-ink-muted">
          <li>ชื่อบริษัท ผู้ติดต่อ และเบอร์โทร</li>
          <li>สินค้าหรืองานที่ขายให้ภาครัฐ</li>
          <li>จังหวัดหรือหน่วยงานที่สนใจ</li>
        </ul>
        {url === undefined ? (
          <>
            <p className="rounded-control border border-updated-line bg-updated-soft px-3 py-2 text-updated">
              ผู้ให้บริการระบบนี้ยังไม่ได้ตั้งที่อยู่ติดต่อ สมัครใช้งานเพื่อเริ่มทดลองใช้ด้วยตัวเองได้
            </p>
            <Link to="/register" className={getButtonClasses('primary', 'lg', 'w-full')}>
              สมัครใช้งาน
            </Link>
          </>
        ) : (
          <a
            href={url}
            className={getButtonClasses(
              'primary',
              'lg',
              'h-auto! min-h-11 w-full py-2 whitespace-normal! wrap-anywhere',
            )}
            {...(url.startsWith('https:') ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
          >
            {contactLabel(url)}
          </a>
        )}
        <p className="text-center">
          <Link to="/login" className={TEXT_LINK_CLASSES}>
            ไปหน้าเข้าสู่ระบบ
          </Link>
        </p>
      </div>
    </PlainLayout>
  )
}
