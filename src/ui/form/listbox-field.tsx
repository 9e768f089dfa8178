import { classNames } from '#src/lib/class-names.ts'
import { Listbox, type ListboxProps } from './listbox.tsx'

type ListboxFieldProps<V extends string | number> = ListboxProps<V> & { error?: string | undefined }

export function ListboxField<V extends string | number>({ className, error, ...props }: ListboxFieldProps<V>) {
  return (
    <div className={classNames('max-sm:w-full', className)}>
      <span aria-hidden className="mb-1 block font-medium">
        {props.label}
      </span>
      <Listbox {...props} className="h-9 w-full touch:h-11.5" />
      {error && <p className="mt-1 text-sm text-urgent">{error}</p>}
    </div>
  )
}
