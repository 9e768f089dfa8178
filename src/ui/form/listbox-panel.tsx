import { Listbox, ListboxButton, ListboxOption, ListboxOptions } from '@headlessui/react'
import { Check } from 'lucide-react'
import { useImperativeHandle, useLayoutEffect, useRef, useState } from 'react'
import { isInRightHalf } from '#src/ui/overlay/is-in-right-half.ts'
import { getListboxButtonProps, type ListboxProps } from './listbox.tsx'

export function ListboxPanel<V extends string | number>(props: ListboxProps<V>) {
  const { buttonRef, value, options, onChange, disabled = false } = props
  const button = useRef<HTMLButtonElement>(null)
  const hasOpened = useRef(false)
  const [isRight, setRight] = useState(false)
  useLayoutEffect(() => {
    if (hasOpened.current || !button.current) return
    hasOpened.current = true
    setRight(isInRightHalf(button.current))
    button.current.focus({ preventScroll: true })
    button.current.click()
  }, [])
  const measure = ({ currentTarget }: { currentTarget: HTMLElement }) => setRight(isInRightHalf(currentTarget))
  useImperativeHandle(buttonRef, () => button.current!)
  return (
    <Listbox value={value} onChange={onChange} disabled={disabled}>
      <ListboxButton
        {...getListboxButtonProps(props)}
        ref={button}
        onPointerDownCapture={measure}
        onKeyDownCapture={measure}
      />
      <ListboxOptions
        data-listbox-options
        modal={false}
        anchor={{ to: isRight ? 'bottom end' : 'bottom start', gap: 4, padding: 8 }}
        className="appear z-50 min-w-(--button-width) rounded-card border border-line bg-surface p-1 text-ink shadow-float outline-none [--anchor-max-height:24rem] print:hidden"
      >
        {options.map((option) => (
          <ListboxOption
            key={option.value}
            value={option.value}
            disabled={option.disabled ?? false}
            className="group flex min-h-8 cursor-pointer items-center gap-2 rounded-control py-1 pr-3 pl-2 tabular-nums data-disabled:cursor-default data-disabled:text-ink-faint data-focus:bg-accent-soft data-selected:font-medium data-selected:text-accent-ink touch:min-h-11 touch:text-lg"
          >
            <Check aria-hidden className="invisible size-4 shrink-0 group-data-selected:visible" />
            {option.th}
          </ListboxOption>
        ))}
      </ListboxOptions>
    </Listbox>
  )
}
