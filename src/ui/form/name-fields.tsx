import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

type NameField = Omit<ComponentProps<typeof TextField>, 'label' | 'autoComplete'>

/** First and last name side by side, stacked on a phone. Each receives the form's registration and its error. */
export function NameFields({ first, last }: { first: NameField; last: NameField }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label="ชื่อ" autoComplete="given-name" {...first} />
      <TextField label="นามสกุล" autoComplete="family-name" {...last} />
    </div>
  )
}
