import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

/** The parts of the page by the headings that they stand under: `data-section` of its element. */
const SECTIONS = [
  { name: 'figures', th: 'ตัวเลขหลัก' },
  { name: 'breakdown', th: 'หน่วยงานและลักษณะงาน' },
  { name: 'competitors', th: 'คู่แข่ง' },
  { name: 'timeline', th: 'เส้นเวลา' },
  { name: 'projects', th: 'โครงการ' },
] as const
type SectionName = (typeof SECTIONS)[number]['name']

/** What of the page there is to go to; a company without a win has fewer parts. */
type SectionTabsProps = { present: readonly SectionName[] }

/** Leads to the parts of a page that is ten screens long; stays in sight below the header. */
export function SectionTabs({ present }: SectionTabsProps) {
  const go = (name: SectionName) => {
    const section = document.querySelector<HTMLElement>(`[data-section="${name}"]`)
    section?.scrollIntoView({ block: 'start' })
    section?.focus({ preventScroll: true })
  }
  return (
    <nav
      aria-label="ส่วนของหน้านี้"
      className="sticky top-header z-20 -mx-4 flex overflow-x-auto border-b border-line bg-canvas px-4 [scrollbar-width:none] lg:-mx-5 lg:px-5 print:hidden"
    >
      {SECTIONS.filter(({ name }) => present.includes(name)).map(({ name, th }) => (
        <button
          key={name}
          type="button"
          onClick={() => go(name)}
          className="min-h-10 shrink-0 rounded-control px-3 whitespace-nowrap text-ink-muted hover:text-ink focus-visible:-outline-offset-2 touch:min-h-11"
        >
          {th}
        </button>
      ))}
    </nav>
  )
}

type PartProps = { name: SectionName; className?: string; children: ReactNode }

/** A part of the page that its tabs lead to. */
export function Part({ name, className, children }: PartProps) {
  return (
    <div data-section={name} tabIndex={-1} className={classNames('scroll-mt-28 outline-none', className)}>
      {children}
    </div>
  )
}
