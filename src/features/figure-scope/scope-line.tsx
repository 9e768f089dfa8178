import type { FigureScope } from '#contract/company/figure-scope.ts'
import { classNames } from '#src/lib/class-names.ts'
import { scopeParts } from './scope-text.ts'

/** What figures are made of (product 7); stands beside every total and under the title of every chart. */
export function ScopeLine({ scope, className }: { scope: FigureScope; className?: string }) {
  return (
    <p className={classNames('text-xs text-ink-muted tabular-nums', className)}>
      <span className="sr-only">ขอบเขตของตัวเลข: </span>
      {scopeParts(scope).join(' · ')}
    </p>
  )
}
