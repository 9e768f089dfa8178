import type { ComponentProps } from 'react'
import { classNames } from '#src/lib/class-names.ts'

export function TextButton({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames('min-h-6 rounded-control text-accent-ink hover:underline touch:min-h-11', className)}
    />
  )
}
