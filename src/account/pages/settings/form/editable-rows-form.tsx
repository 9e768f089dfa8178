import { Plus, X } from 'lucide-react'
import { Controller, useFieldArray } from 'react-hook-form'
import { z } from 'zod/mini'
import { useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { Button } from '#src/ui/button.tsx'
import { Listbox, type ListboxOption } from '#src/ui/form/listbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { getSettingsSaveProblemText } from './save-problem.ts'
import { useUnsavedChanges } from './unsaved-changes.tsx'

export type EditableRowDraft = Readonly<Record<string, string>>

type EditableRowField = {
  readonly name: string
  readonly label: string
  readonly placeholder?: string
  readonly inputMode?: 'decimal' | 'numeric'
  readonly className: string
  readonly options?: readonly ListboxOption<string>[]
  readonly initial?: string
}

type RowsFormProps<Row> = {
  /** Thai noun for a row, used in labels, e.g. `ผลงาน`. */
  rowNoun: string
  rows: readonly EditableRowDraft[]
  maxRows: number
  fields: readonly EditableRowField[]
  schema: z.core.$ZodType<Row, EditableRowDraft>
  onSave: (rows: Row[]) => Promise<void>
}

type Drafts = { rows: EditableRowDraft[] }

export function EditableRowsForm<Row>({ rowNoun, rows, maxRows, fields, schema, onSave }: RowsFormProps<Row>) {
  const empty = Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial]))
  const form = useSchemaForm<Drafts, { rows: Row[] }>(
    { schema: z.object({ rows: z.array(schema) }), defaultValues: { rows: [...rows] } },
    (values) => onSave(values.rows),
  )
  const { refusal, isSubmitting } = form
  const { fields: drafts, append, remove } = useFieldArray({ control: form.control, name: 'rows' })
  const { errors, isDirty } = form.formState
  useUnsavedChanges(isDirty)
  return (
    <form noValidate onSubmit={form.submit} aria-busy={isSubmitting} className="space-y-3">
      {drafts.length === 0 && <p className="text-sm text-ink-muted">ยังไม่ได้กรอก{rowNoun}</p>}
      <ul className="divide-y divide-line">
        {drafts.map((draft, at) => (
          <li key={draft.id} className="flex items-start gap-2 py-3 first:pt-0">
            <fieldset className="flex min-w-0 flex-1 flex-wrap items-start gap-2">
              <legend className="sr-only">
                {rowNoun} {at + 1}
              </legend>
              {fields.map(({ name, label, placeholder, inputMode, className, options }) =>
                options ? (
                  <span key={name} className={className}>
                    <span aria-hidden className="mb-1 block text-sm font-medium">
                      {label}
                    </span>
                    <Controller
                      control={form.control}
                      name={`rows.${at}.${name}`}
                      render={({ field: { value, onChange } }) => (
                        <Listbox
                          label={`${label} ${rowNoun} ${at + 1}`}
                          value={value}
                          options={options}
                          onChange={onChange}
                          className="h-9 w-full touch:h-11.5"
                        />
                      )}
                    />
                  </span>
                ) : (
                  <TextField
                    key={name}
                    label={label}
                    placeholder={placeholder}
                    inputMode={inputMode}
                    autoComplete="off"
                    error={errors.rows?.[at]?.[name]?.message}
                    className={`text-sm ${className}`}
                    {...form.register(`rows.${at}.${name}`)}
                  />
                ),
              )}
            </fieldset>
            <IconButton icon={X} size="sm" label={`ลบ${rowNoun} ${at + 1}`} onClick={() => remove(at)} />
          </li>
        ))}
      </ul>
      {refusal !== undefined && (
        <p role="alert" className="text-sm text-urgent">
          {getSettingsSaveProblemText(refusal)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button icon={Plus} variant="quiet" disabled={drafts.length >= maxRows} onClick={() => append(empty)}>
          เพิ่ม{rowNoun}
        </Button>
        <Button type="submit" disabled={!isDirty} pending={isSubmitting}>
          บันทึก{rowNoun}
        </Button>
      </div>
    </form>
  )
}
