import { classNames } from '#src/lib/class-names.ts'
import { Listbox, type ListboxProps } from './listbox.tsx'

export function ListboxField<V extends string | number>({ className, ...props }: ListboxProps<V>) {
  return (
    <div className={classNames('max-sm:w-full', className)}>
      <span aria-hidden className="mb-1 block font-medium">
        {props.label}
      </span>
      <Listbox {...props} className="h-9 w-full touch:h-11.5" />
    </div>
  )
}
