import type { ComponentProps } from 'react'
import { classNames } from '#src/lib/class-names.ts'

/** A bordered field of several lines. Text is 16 px on touch screens, where iOS would zoom into anything smaller. */
export function TextArea({ className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...rest}
      className={classNames(
        'w-full rounded-control border border-control bg-surface px-2.5 py-1.5 touch:text-lg',
        className,
      )}
    />
  )
}
