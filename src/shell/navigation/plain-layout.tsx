import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'

type PlainLayoutProps = {
  children: ReactNode
  footer?: ReactNode
  aside?: ReactNode
  wide?: boolean
}

export function PlainLayout({ children, footer, aside, wide = false }: PlainLayoutProps) {
  if (aside) {
    return (
      <main className="mx-auto grid min-h-dvh w-full max-w-sm grid-cols-1 content-start gap-6 px-4 py-8 lg:max-w-5xl lg:content-center lg:grid-cols-[minmax(0,1fr)_24rem] lg:gap-x-16 lg:px-8">
        <div className="min-w-0 space-y-4 lg:self-end">
          <Logo />
          {aside}
        </div>
        <div className="min-w-0 rounded-card border border-line bg-surface p-6 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-center">
          {children}
        </div>
        {footer}
      </main>
    )
  }
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
