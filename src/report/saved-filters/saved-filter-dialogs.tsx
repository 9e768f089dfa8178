import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { z } from 'zod/mini'
import { savedFilterNameSchema } from '#contract/account/mark-name.ts'
import { MAX_SAVED_FILTERS } from '#contract/account/saved-filter.ts'
import { spellOutSearchOperators } from '#contract/report/filter-text.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useFilterTexts } from '#src/report/filter/use-filter-texts.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { SavedFilterMailSwitch, SavedFilterMailSwitchNote } from './filter-mail-switch.tsx'
import { findSavedFilterWithSameName, suggestSavedFilterName } from './filter-name.ts'
import { RenameSavedFilterForm, SavedFilterNameField, type SavedFilterNameForm } from './rename-filter-form.tsx'
import { createSavedFilter, updateSavedFilter } from './saved-filter-changes.ts'
import type { SavedFilterContext, SavedFilterDialogTask } from './saved-filter-context.ts'
import { SavedFilterManager } from './saved-filter-manager.tsx'

function SaveFilterForm({ context, onDone }: { context: SavedFilterContext; onDone: () => void }) {
  const { filters, search, change } = context
  // Save the filters as they were when the dialog opened, even if the URL changes meanwhile.
  const [saved] = useState(search)
  const { texts } = useFilterTexts(saved)
  const [isSend, setSend] = useState(false)
  const form = useForm<SavedFilterNameForm>({
    resolver: standardSchemaResolver(z.object({ filterName: savedFilterNameSchema })),
    defaultValues: { filterName: suggestSavedFilterName(texts) },
  })
  const { errors } = form.formState
  const name = useWatch({ control: form.control, name: 'filterName' })
  const duplicate = findSavedFilterWithSameName(name, filters)
  const error = duplicate ? 'มีตัวกรองชื่อนี้แล้ว' : errors.filterName?.message

  const finish = (id: string) => {
    onDone()
    change({ saved: id, page: saved.page }, 'replace')
  }
  const submit = form.handleSubmit(({ filterName }) => {
    if (!duplicate) finish(createSavedFilter(filterName, saved, isSend))
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="space-y-4 p-4">
      <SavedFilterNameField form={form} error={error} />
      <div>
        <p className="mb-1 font-medium">สิ่งที่บันทึก</p>
        <ul className="rounded-control border border-line bg-surface-muted px-3 py-2 text-sm">
          {texts.map(({ label, value, negated }) => (
            <li key={`${label} ${value}`} className="wrap-anywhere">
              {label && <span className="text-ink-muted">{label} </span>}
              {negated && <span className="text-urgent">ไม่ใช่ </span>}
              <span className="font-medium">{spellOutSearchOperators(value)}</span>
            </li>
          ))}
        </ul>
        <p className="mt-1 text-xs text-ink-muted">ไม่รวมการเรียงลำดับและคอลัมน์ ช่วงวันที่แบบ “ภายใน 7 วัน” นับจากวันที่เปิดดู</p>
      </div>
      <div>
        <SavedFilterMailSwitch checked={isSend} onChange={setSend} />
        <SavedFilterMailSwitchNote className="pl-6.5 text-xs text-ink-muted" />
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2 border-t border-line pt-4">
        <p className="mr-auto text-xs text-ink-muted">
          บันทึกไว้ {formatCount(filters.length)} จาก {MAX_SAVED_FILTERS}
        </p>
        <Button onClick={onDone}>ยกเลิก</Button>
        {duplicate ? (
          <Button
            variant="primary"
            onClick={() => {
              updateSavedFilter(duplicate, saved)
              finish(duplicate.id)
            }}
          >
            บันทึกทับ “<span className="-mx-2 max-w-40 truncate">{duplicate.filterName}</span>”
          </Button>
        ) : (
          <Button type="submit" variant="primary">
            บันทึก
          </Button>
        )}
      </div>
    </form>
  )
}

type FilterDialogsProps = { context: SavedFilterContext; task: SavedFilterDialogTask; onClose: () => void }

const DIALOG_TITLES = { save: 'บันทึกตัวกรอง', rename: 'เปลี่ยนชื่อตัวกรอง', manage: 'ตัวกรองที่บันทึก' } as const

export function SavedFilterDialogs({ context, task, onClose }: FilterDialogsProps) {
  return (
    <Modal open isTall={task.kind === 'manage'} onClose={onClose} title={DIALOG_TITLES[task.kind]}>
      {task.kind === 'save' && <SaveFilterForm context={context} onDone={onClose} />}
      {task.kind === 'rename' && <RenameSavedFilterForm context={context} id={task.id} onDone={onClose} />}
      {task.kind === 'manage' && <SavedFilterManager context={context} onDone={onClose} />}
    </Modal>
  )
}
