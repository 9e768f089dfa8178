import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useEffect } from 'react'
import { type UseFormReturn, useForm, useWatch } from 'react-hook-form'
import { z } from 'zod/mini'
import { savedFilterNameSchema } from '#contract/account/mark-name.ts'
import { MAX_SAVED_FILTER_NAME_LENGTH } from '#contract/account/saved-filter.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { findSavedFilterWithSameName } from './filter-name.ts'
import { renameSavedFilter } from './saved-filter-changes.ts'
import type { SavedFilterContext } from './saved-filter-context.ts'

export type SavedFilterNameForm = { filterName: string }

type NameFieldProps = {
  form: UseFormReturn<SavedFilterNameForm>
  error: string | undefined
  label?: string
}

export function SavedFilterNameField({ form: { register, setFocus, control }, error, label = 'ชื่อ' }: NameFieldProps) {
  const name = useWatch({ control, name: 'filterName' })
  useEffect(() => setFocus('filterName', { shouldSelect: true }), [setFocus])
  return (
    <TextField
      label={label}
      data-autofocus
      autoComplete="off"
      error={error}
      hint={error ? undefined : `${name.trim().length}/${MAX_SAVED_FILTER_NAME_LENGTH} ตัวอักษร`}
      {...register('filterName')}
    />
  )
}

type RenameFilterFormProps = { context: Pick<SavedFilterContext, 'filters'>; id: string; onDone: () => void }

export function RenameSavedFilterForm({ context: { filters }, id, onDone }: RenameFilterFormProps) {
  const filter = filters.find((savedFilter) => savedFilter.id === id)
  const unusedName = z.refine<string>((name) => !findSavedFilterWithSameName(name, filters, id), 'มีตัวกรองชื่อนี้แล้ว ตั้งชื่ออื่น')
  const form = useForm<SavedFilterNameForm>({
    resolver: standardSchemaResolver(z.object({ filterName: savedFilterNameSchema.check(unusedName) })),
    mode: 'onChange',
    defaultValues: { filterName: filter?.filterName ?? '' },
  })
  const { errors } = form.formState
  if (!filter) return <p className="p-4">ตัวกรองนี้ถูกลบไปแล้ว</p>
  const rename = form.handleSubmit(({ filterName }) => {
    if (filterName !== filter.filterName) renameSavedFilter(filter, filterName)
    onDone()
  })
  return (
    <form noValidate onSubmit={(event) => void rename(event)} className="space-y-4 p-4">
      <SavedFilterNameField label="ชื่อใหม่" form={form} error={errors.filterName?.message} />
      <div className="flex justify-end gap-2">
        <Button onClick={onDone}>ยกเลิก</Button>
        <Button type="submit" variant="primary">
          เปลี่ยนชื่อ
        </Button>
      </div>
    </form>
  )
}
