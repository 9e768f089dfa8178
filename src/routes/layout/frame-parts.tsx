import type { ReactNode } from 'react'
import { nameElement } from '#src/lib/named-elements.ts'

export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-[70] -translate-y-20 rounded-control bg-accent px-4 py-2 font-medium text-on-accent focus:translate-y-0 print:hidden"
    >
      ข้ามไปที่เนื้อหา
    </a>
  )
}

export function HeaderBar({ children }: { children: ReactNode }) {
  return (
    <header className="sticky top-0 z-40 flex h-header items-center gap-2 border-b border-line bg-surface px-3 lg:gap-5 lg:px-5 print:hidden">
      {children}
    </header>
  )
}

export function MainContent({ children }: { children: ReactNode }) {
  return (
    <main ref={nameElement('main')} id="main" tabIndex={-1} className="outline-none">
      {children}
    </main>
  )
}
