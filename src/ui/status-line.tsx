import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '#src/lib/class-names.ts'

type StatusLineProps = {
  icon: LucideIcon
  words: string
  short?: string
  calm?: boolean
  action?: { readonly label: string; readonly run: () => void }
  children?: ReactNode
}

export function StatusLine({ icon: Icon, words, short, calm, action, children }: StatusLineProps) {
  return (
    <div
      className={classNames(
        'flex flex-wrap items-center justify-center gap-x-2 gap-y-0.5 px-4 py-1.5 text-sm',
        calm ? 'bg-new-soft text-new' : 'bg-ink text-surface',
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 wrap-anywhere">
        <span className={short === undefined ? undefined : 'max-sm:sr-only'}>{words}</span>
        {short !== undefined && (
          <span aria-hidden className="sm:hidden">
            {short}
          </span>
        )}
      </p>
      {children}
      {action && <StatusLineButton {...action} />}
    </div>
  )
}

type StatusLineButtonProps = ComponentProps<'button'> & { label: string; run: () => void }

export function StatusLineButton({ label, run, ...rest }: StatusLineButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      onClick={run}
      className="min-h-6 rounded-control px-2 font-medium underline underline-offset-2 hover:no-underline focus-visible:outline-current touch:min-h-11"
    >
      {label}
    </button>
  )
}
