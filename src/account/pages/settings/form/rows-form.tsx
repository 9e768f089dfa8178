import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#src/ui/button.tsx'
import { Listbox, type ListboxOption } from '#src/ui/form/listbox.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { useUnsaved } from './unsaved-changes.tsx'

export type RowDraft = Readonly<Record<string, string>>

export type RowField = {
  readonly name: string
  readonly label: string
  readonly placeholder?: string
  readonly inputMode?: 'decimal' | 'numeric'
  readonly className: string
  readonly options?: readonly ListboxOption<string>[]
}

export type ParsedRow<Row> =
  | { readonly ok: true; readonly row: Row }
  | { readonly ok: false; readonly field: string; readonly message: string }

type RowsFormProps<Row> = {
  /** Thai noun for a row, used in labels, e.g. `ผลงาน`. */
  rowNoun: string
  rows: readonly RowDraft[]
  maxRows: number
  fields: readonly RowField[]
  empty: RowDraft
  parseRow: (draft: RowDraft) => ParsedRow<Row>
  onSave: (rows: Row[]) => Promise<string | undefined>
}

type KeyedDraft = { readonly key: string; readonly draft: RowDraft }
const keyed = (draft: RowDraft): KeyedDraft => ({ key: crypto.randomUUID(), draft })

export function RowsForm<Row>({ rowNoun, rows, maxRows, fields, empty, parseRow, onSave }: RowsFormProps<Row>) {
  const [drafts, setDrafts] = useState<readonly KeyedDraft[]>(() => rows.map(keyed))
  const [wasTried, setTried] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const [isPending, setPending] = useState(false)
  const isDirty = JSON.stringify(drafts.map(({ draft }) => draft)) !== JSON.stringify(rows)
  useUnsaved(isDirty)
  const change = (nextDrafts: readonly KeyedDraft[]) => {
    setDrafts(nextDrafts)
    setRefusal(undefined)
  }
  const submit = async () => {
    setTried(true)
    const readings = drafts.map(({ draft }) => parseRow(draft))
    if (readings.some(({ ok }) => !ok)) return
    setPending(true)
    setRefusal(await onSave(readings.flatMap((reading) => (reading.ok ? [reading.row] : []))))
    setPending(false)
  }
  return (
    <div className="space-y-3">
      {drafts.length === 0 && <p className="text-sm text-ink-muted">ยังไม่ได้กรอก{rowNoun}</p>}
      <ul className="divide-y divide-line">
        {drafts.map(({ key, draft }, at) => {
          const reading = wasTried ? parseRow(draft) : undefined
          const edit = (name: string, value: string) =>
            change(drafts.map((entry) => (entry.key === key ? { key, draft: { ...draft, [name]: value } } : entry)))
          return (
            <li key={key} className="flex items-start gap-2 py-3 first:pt-0">
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
                      <Listbox
                        label={`${label} ${rowNoun} ${at + 1}`}
                        value={draft[name] ?? ''}
                        options={options}
                        onChange={(value) => edit(name, value)}
                        className="h-9 w-full touch:h-11.5"
                      />
                    </span>
                  ) : (
                    <TextField
                      key={name}
                      label={label}
                      placeholder={placeholder}
                      inputMode={inputMode}
                      autoComplete="off"
                      value={draft[name] ?? ''}
                      error={reading && !reading.ok && reading.field === name ? reading.message : undefined}
                      onChange={({ currentTarget }) => edit(name, currentTarget.value)}
                      className={`text-sm ${className}`}
                    />
                  ),
                )}
              </fieldset>
              <IconButton
                icon={X}
                size="sm"
                label={`ลบ${rowNoun} ${at + 1}`}
                onClick={() => change(drafts.filter((entry) => entry.key !== key))}
              />
            </li>
          )
        })}
      </ul>
      {refusal && (
        <p role="alert" className="text-sm text-urgent">
          {refusal}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          icon={Plus}
          variant="quiet"
          disabled={drafts.length >= maxRows}
          onClick={() => change([...drafts, keyed(empty)])}
        >
          เพิ่ม{rowNoun}
        </Button>
        <Button disabled={!isDirty} pending={isPending} onClick={() => void submit()}>
          บันทึก{rowNoun}
        </Button>
      </div>
    </div>
  )
}
