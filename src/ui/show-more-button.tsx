import type { ComponentProps } from 'react'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from './button.tsx'

/** Shows the next rows of a list (`useShowMore`); renders nothing when all are shown. */
export function ShowMoreButton({ count, className, ...rest }: ComponentProps<typeof Button> & { count: number }) {
  if (count === 0) return null
  return (
    <Button {...rest} className={classNames('print:hidden', className)}>
      แสดงอีก {formatCount(count)}
    </Button>
  )
}
