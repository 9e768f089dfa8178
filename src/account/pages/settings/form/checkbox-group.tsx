import { type ReactNode, useId } from 'react'
import { Checkbox } from '#src/ui/form/checkbox.tsx'

type CheckboxGroupProps<Code extends string> = {
  legend: string
  options: readonly { readonly code: Code; readonly th: ReactNode; readonly hint?: string }[]
  chosen: readonly Code[]
  onChange: (chosen: Code[]) => void
  error?: string | undefined
  /** Classes of the list of options. */
  className?: string
  /** Content above the options. */
  children?: ReactNode
}

/** Checkboxes that each add their option to a list. */
export function CheckboxGroup<Code extends string>({
  legend,
  options,
  chosen,
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
              checked={chosen.includes(code)}
              onChange={(isOn) =>
                onChange([...chosen.filter((candidate) => candidate !== code), ...(isOn ? [code] : [])])
              }
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
