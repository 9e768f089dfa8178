import type { ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type TeamPageFrameProps = {
  title: string
  figures?: ReactNode
  actions?: ReactNode
  className?: string
  children: ReactNode
}

export function TeamPageFrame({ title, figures, actions, className, children }: TeamPageFrameProps) {
  return (
    <div className={classNames('flex w-full flex-col gap-3 px-4 pt-4 pb-6 lg:px-5', className)}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 grow basis-56 max-sm:basis-full">
          <h1 className="text-xl font-semibold">{title}</h1>
          {figures && <p className="text-sm text-ink-muted">{figures}</p>}
        </div>
        {actions}
      </div>
      {children}
    </div>
  )
}
