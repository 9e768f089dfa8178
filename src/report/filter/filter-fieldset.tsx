import type { ComponentProps } from 'react'

export function FilterFieldset({ title, children, ...rest }: ComponentProps<'fieldset'> & { title: string }) {
  return (
    <fieldset className="min-w-0" {...rest}>
      <legend className="sr-only">{title}</legend>
      {children}
    </fieldset>
  )
}
