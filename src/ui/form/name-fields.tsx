import type { ComponentProps } from 'react'
import { TextField } from './text-field.tsx'

type NameField = Omit<ComponentProps<typeof TextField>, 'label' | 'autoComplete'>

export function NameFields({ first, last }: { first: NameField; last: NameField }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField label="ชื่อ" autoComplete="given-name" {...first} />
      <TextField label="นามสกุล" autoComplete="family-name" {...last} />
    </div>
  )
}
