import { classNames } from '#src/lib/class-names.ts'
import { Listbox, type ListboxProps } from './listbox.tsx'

/** A list box below its label, as high as a `TextField` and on phones as wide. */
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
