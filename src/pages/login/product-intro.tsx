import { BellRing, ListChecks, Telescope } from 'lucide-react'

const POINTS = [
  { icon: Telescope, th: 'บอกคำและหน่วยงานที่สนใจครั้งเดียว ระบบคัดโครงการ e-GP ที่ตรงมาให้ทุกเช้า' },
  { icon: ListChecks, th: 'เห็นวันยื่น งบประมาณ ราคากลาง และคู่แข่งในตารางเดียว กรองและส่งต่อได้ทันที' },
  { icon: BellRing, th: 'โครงการที่ติดดาวเปลี่ยนหรือใกล้ปิดยื่น ระบบแจ้งเตือนและส่งอีเมลให้' },
] as const

/** What the product does, for somebody who sees it for the first time; on a phone in one line, so that form and accounts are in view. */
export function ProductIntro() {
  return (
    <section aria-labelledby="product" className="space-y-3">
      <h2 id="product" className="text-xl font-semibold text-balance lg:text-3xl">
        ติดตามโครงการจัดซื้อจัดจ้างภาครัฐที่ตรงกับธุรกิจของคุณ
      </h2>
      <ul className="space-y-2 text-ink-muted max-sm:hidden">
        {POINTS.map(({ icon: Icon, th }) => (
          <li key={th} className="flex gap-3">
            <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-accent-ink" />
            <span>{th}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
