import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'

type PlainLayoutProps = {
  children: ReactNode
  /** Under the card. */
  footer?: ReactNode
  /** More room, for forms with fields beside each other. */
  wide?: boolean
}

/** The plain, centred layout of the screens without login: the logo and one card. */
export function PlainLayout({ children, footer, wide = false }: PlainLayoutProps) {
  return (
    <main className="flex min-h-dvh flex-col items-center justify-center px-4 py-10">
      <div className={wide ? 'w-full max-w-xl' : 'w-full max-w-sm'}>
        <div className="mb-6 flex justify-center">
          <Logo />
        </div>
        <div className="rounded-card border border-line bg-surface p-6">{children}</div>
        {footer}
      </div>
    </main>
  )
}
