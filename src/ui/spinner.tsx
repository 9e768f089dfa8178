import { LoaderCircle } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'

/** Turning circle beside a word that says what is going on; on its own it needs a `label`. */
export function Spinner({ label, className }: { label?: string; className?: string }) {
  return (
    <span role={label ? 'status' : undefined} className={classNames('inline-flex items-center', className)}>
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
