import { classNames } from '#src/lib/class-names.ts'
import { Listbox, type ListboxProps } from './listbox.tsx'

export function ListboxField<V extends string | number>({ className, ...props }: ListboxProps<V>) {
  return (
    <div className={className}>
      <span aria-hidden className="mb-1 block font-medium">
        {props.label}
      </span>
      <Listbox {...props} className={classNames('h-9 touch:h-11.5', className)} />
    </div>
  )
}
