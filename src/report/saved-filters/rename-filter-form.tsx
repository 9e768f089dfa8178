import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { MAX_FILTER_NAME_LENGTH } from '#contract/account/saved-filter.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { filterNameError, findFilterNamesake } from './filter-name.ts'
import { renameFilter } from './saved-filter-changes.ts'
import type { SavedFilterContext } from './saved-filter-context.ts'

type NameFieldProps = {
  value: string
  onChange: (name: string) => void
  error: string | undefined
  label?: string
}

export function FilterNameField({ value, onChange, error, label = 'ชื่อ' }: NameFieldProps) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  return (
    <TextField
      ref={input}
      label={label}
      data-autofocus
      autoComplete="off"
      value={value}
      error={error}
      hint={error ? undefined : `${value.trim().length}/${MAX_FILTER_NAME_LENGTH} ตัวอักษร`}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

type RenameFilterFormProps = { context: Pick<SavedFilterContext, 'filters'>; id: string; onDone: () => void }

export function RenameFilterForm({ context: { filters }, id, onDone }: RenameFilterFormProps) {
  const filter = filters.find((savedFilter) => savedFilter.id === id)
  const [name, setName] = useState(filter?.filterName ?? '')
  const error = findFilterNamesake(name, filters, id) ? 'มีตัวกรองชื่อนี้แล้ว ตั้งชื่ออื่น' : filterNameError(name)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (error) return
    if (filter && name.trim() !== filter.filterName) renameFilter(filter, name.trim())
    onDone()
  }
  if (!filter) return <p className="p-4">ตัวกรองนี้ถูกลบไปแล้ว</p>
  return (
    <form noValidate onSubmit={submit} className="space-y-4 p-4">
      <FilterNameField label="ชื่อใหม่" value={name} onChange={setName} error={error} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>ยกเลิก</Button>
        <Button type="submit" variant="primary">
          เปลี่ยนชื่อ
        </Button>
      </div>
    </form>
  )
}
