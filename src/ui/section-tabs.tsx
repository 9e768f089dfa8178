import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

export const getSectionId = (name: string) => `section-${name}`

export function SectionTabs({ sections }: { sections: readonly { readonly name: string; readonly th: string }[] }) {
  const go = (name: string) => {
    const section = document.getElementById(getSectionId(name))
    section?.scrollIntoView({ block: 'start' })
    section?.focus({ preventScroll: true })
  }
  return (
    <nav
      aria-label="ส่วนของหน้านี้"
      className="sticky top-header z-20 -mx-4 flex overflow-x-auto border-b border-line bg-canvas px-4 [scrollbar-width:none] lg:-mx-5 lg:px-5 print:hidden"
    >
      {sections.map(({ name, th }) => (
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

type TabbedSectionProps = { name: string; className?: string; children: ReactNode }

export function TabbedSection({ name, className, children }: TabbedSectionProps) {
  return (
    <div id={getSectionId(name)} tabIndex={-1} className={classNames('scroll-mt-28 outline-none', className)}>
      {children}
    </div>
  )
}
