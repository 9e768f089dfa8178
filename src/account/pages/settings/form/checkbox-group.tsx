import { type ReactNode, useId } from 'react'
import { Checkbox } from '#src/ui/form/checkbox.tsx'

type CheckboxGroupProps<Code extends string> = {
  legend: string
  options: readonly { readonly code: Code; readonly th: ReactNode; readonly hint?: string }[]
  value: readonly Code[]
  onChange: (value: Code[]) => void
  error?: string | undefined
  className?: string
  children?: ReactNode
}

export function CheckboxGroup<Code extends string>({
  legend,
  options,
  value,
  onChange,
  error,
  className,
  children,
}: CheckboxGroupProps<Code>) {
  const id = useId()
  return (
    <fieldset aria-describedby={error && id}>
      <legend className="mb-1 font-medium">{legend}</legend>
      {children}
      <ul className={className}>
        {options.map(({ code, th, hint }) => (
          <li key={code}>
            <Checkbox
              checked={value.includes(code)}
              onChange={(isOn) => onChange([...value.filter((chosen) => chosen !== code), ...(isOn ? [code] : [])])}
            >
              {th} {hint && <span className="text-sm text-ink-muted">{hint}</span>}
            </Checkbox>
          </li>
        ))}
      </ul>
      {error && (
        <p id={id} className="mt-1 text-sm text-urgent">
          {error}
        </p>
      )}
    </fieldset>
  )
}
