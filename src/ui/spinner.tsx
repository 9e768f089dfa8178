import { LoaderCircle } from 'lucide-react'
import { classNames } from '#src/lib/class-names.ts'

export function Spinner({ label, className }: { label?: string; className?: string }) {
  return (
    <span role={label ? 'status' : undefined} className={classNames('inline-flex items-center', className)}>
      <LoaderCircle aria-hidden className="size-4 animate-spin" />
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
