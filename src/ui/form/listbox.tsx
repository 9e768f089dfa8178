import { ChevronDown } from 'lucide-react'
import { type Ref, useRef, useState } from 'react'
import { classNames } from '#src/lib/class-names.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import { LazyBoundary } from '../lazy-boundary.tsx'

export type ListboxOption<V extends string | number> = {
  readonly value: V
  readonly th: string
  readonly disabled?: boolean
}

export type ListboxProps<V extends string | number> = {
  label: string
  value: V
  options: readonly ListboxOption<V>[]
  /** Also called when the current option is selected again. */
  onChange: (value: V) => void
  variant?: 'field' | 'quiet'
  disabled?: boolean
  buttonRef?: Ref<HTMLButtonElement> | undefined
  className?: string | undefined
}

// Headless UI is loaded on first press, or earlier when pointer or focus reaches the button.
const OpenListbox = lazyComponent(() => import('./listbox-panel.tsx'), 'ListboxPanel')
const preload = () => void OpenListbox.preload()

const VARIANTS = {
  field: 'border border-control bg-surface px-2 text-ink',
  quiet: 'bg-transparent px-1 text-ink enabled:hover:bg-surface-muted',
} as const

export function Listbox<V extends string | number>(props: ListboxProps<V>) {
  const { buttonRef, ...rest } = props
  const [isUsed, setUsed] = useState(false)
  const isOpenRequested = useRef(false)
  const open = () => {
    if (isOpenRequested.current) return
    isOpenRequested.current = true
    // Keep the closed button focused until the loaded one replaces it.
    void OpenListbox.preload().finally(() => setUsed(true))
  }
  const button = (
    <button
      {...getListboxButtonProps(props)}
      ref={buttonRef}
      aria-haspopup="listbox"
      aria-expanded={false}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={open}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
        event.preventDefault()
        open()
      }}
    />
  )
  if (!isUsed) return button
  return (
    <LazyBoundary fallback={button}>
      <OpenListbox {...(rest as unknown as ListboxProps<string | number>)} buttonRef={buttonRef} />
    </LazyBoundary>
  )
}

export function getListboxButtonProps<V extends string | number>({
  label,
  value,
  options,
  variant = 'field',
  disabled = false,
  className,
}: ListboxProps<V>) {
  const selectedText = options.find((option) => option.value === value)?.th ?? ''
  return {
    type: 'button' as const,
    'aria-label': `${label} ${selectedText}`,
    disabled,
    className: classNames(
      'inline-flex min-w-0 items-center justify-between gap-1 rounded-control text-left whitespace-nowrap disabled:opacity-50',
      VARIANTS[variant],
      className,
    ),
    children: (
      <>
        <span className="min-w-0 truncate">{selectedText}</span>
        <ChevronDown aria-hidden className="size-4 shrink-0 text-ink-faint" />
      </>
    ),
  }
}
