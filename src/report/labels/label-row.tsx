import { Palette, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { isSameDisplayName, type Label, MAX_LABEL_NAME_LENGTH } from '#contract/account/label.ts'
import { countText } from '#src/lib/figure-text.ts'
import { Button } from '#src/ui/button.tsx'
import { ConfirmInPlace } from '#src/ui/confirm-in-place.tsx'
import { EventDelegate } from '#src/ui/event-delegate.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { LabelChip } from '#src/ui/project/label-chip.tsx'
import { deleteLabel, LABEL_SCOPE_NAMES, type LabelScope, recolorLabel, renameLabel } from './label-changes.ts'
import { LabelPalette } from './label-palette.tsx'

type LabelRowProps = {
  label: Label
  otherLabels: readonly Label[]
  projects: number
  scope?: LabelScope
  /** Name of the creator; set only for a label that the user cannot edit. */
  creator?: string | undefined
}

export function LabelRow({ label, otherLabels, projects, scope = 'mine', creator }: LabelRowProps) {
  const scopeLabel = LABEL_SCOPE_NAMES[scope]
  const chip = { ...label, isTeam: scope === 'team' }
  const [openForm, setOpen] = useState<'name' | 'color' | 'delete'>()
  const row = useRef<HTMLLIElement>(null)
  const focusButton = (action: string) =>
    setTimeout(() => row.current?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.focus())
  const close = (action: string) => {
    setOpen(undefined)
    focusButton(action)
  }
  const remove = () => {
    const neighbour = row.current?.nextElementSibling ?? row.current?.previousElementSibling
    const nextButton =
      neighbour?.querySelector('button') ?? row.current?.closest('[role="dialog"], section')?.querySelector('button')
    nextButton?.focus()
    void deleteLabel(label, scope)
  }
  return (
    <li ref={row} className="px-4 py-2">
      {openForm === 'name' ? (
        <NameForm label={label} otherLabels={otherLabels} scope={scope} onClose={() => close('name')} />
      ) : (
        <div className="flex items-center gap-1">
          <LabelChip label={chip} className="min-w-0 py-0.5 text-sm" />
          <span className="ml-2 min-w-0 flex-1 text-sm text-ink-muted">
            {projects === 0 ? 'ยังไม่ได้ใช้' : `${countText(projects)} โครงการ`}
            {creator !== undefined && ` · สร้างโดย ${creator}`}
          </span>
          {creator === undefined && (
            <>
              <IconButton
                icon={Pencil}
                data-action="name"
                label={`เปลี่ยนชื่อ${scopeLabel} ${label.name}`}
                title="เปลี่ยนชื่อ"
                onClick={() => setOpen('name')}
              />
              <IconButton
                icon={Palette}
                data-action="color"
                label={`เปลี่ยนสี${scopeLabel} ${label.name}`}
                title="เปลี่ยนสี"
                aria-expanded={openForm === 'color'}
                onClick={() => setOpen(openForm === 'color' ? undefined : 'color')}
              />
              <IconButton
                icon={Trash2}
                data-action="delete"
                label={`ลบ${scopeLabel} ${label.name}`}
                title="ลบ"
                onClick={() => (projects === 0 ? remove() : setOpen('delete'))}
              />
            </>
          )}
        </div>
      )}
      {openForm === 'color' && (
        <EventDelegate className="py-2" onKeyDown={closeOnEscape(() => close('color'))}>
          <LabelPalette label={label} onChange={(color) => void recolorLabel(label, color, scope)} />
        </EventDelegate>
      )}
      {openForm === 'delete' && (
        <DeleteConfirmation
          label={label}
          projects={projects}
          scope={scope}
          onDelete={remove}
          onClose={() => close('delete')}
        />
      )}
    </li>
  )
}

/** Esc closes the form in the row, not the surrounding dialog. */
const closeOnEscape = (close: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return
  event.stopPropagation()
  close()
}

function NameForm({
  label,
  otherLabels,
  scope,
  onClose,
}: Pick<LabelRowProps, 'label' | 'otherLabels'> & { scope: LabelScope; onClose: () => void }) {
  const [name, setName] = useState(label.name)
  const [error, setError] = useState<string>()
  const save = (event: FormEvent) => {
    event.preventDefault()
    const newName = name.trim()
    if (newName === '') return setError('ตั้งชื่อป้ายก่อน')
    const duplicate = otherLabels.find((otherLabel) => isSameDisplayName(otherLabel.name, newName))
    if (duplicate) return setError(`มีป้าย “${duplicate.name}” อยู่แล้ว`)
    if (newName !== label.name) void renameLabel(label, newName, scope)
    onClose()
  }
  return (
    <form onSubmit={save} onKeyDown={closeOnEscape(onClose)} className="flex flex-wrap items-start gap-2">
      <TextField
        label={`ชื่อใหม่ของ${LABEL_SCOPE_NAMES[scope]} ${label.name}`}
        hideLabel
        autoFocus
        autoComplete="off"
        maxLength={MAX_LABEL_NAME_LENGTH}
        value={name}
        error={error}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setError(undefined)
        }}
        className="min-w-40 flex-1"
      />
      <Button variant="primary" type="submit">
        บันทึก
      </Button>
      <Button variant="quiet" onClick={onClose}>
        ยกเลิก
      </Button>
    </form>
  )
}

/** States how many projects use the label before deleting it (D19). */
function DeleteConfirmation({
  label,
  projects,
  scope,
  onDelete,
  onClose,
}: Pick<LabelRowProps, 'label' | 'projects'> & {
  scope: LabelScope
  onDelete: () => void
  onClose: () => void
}) {
  return (
    <ConfirmInPlace
      label={`ยืนยันการลบ${LABEL_SCOPE_NAMES[scope]} ${label.name}`}
      no="ไม่ลบ"
      yes="ลบป้าย"
      onNo={onClose}
      onYes={onDelete}
      onKeyDown={closeOnEscape(onClose)}
      className="mt-2 rounded-control border border-urgent-line bg-urgent-soft px-3 py-2"
    >
      {LABEL_SCOPE_NAMES[scope]} “{label.name}” ติดอยู่กับ {countText(projects)} โครงการ ลบแล้วป้ายจะหลุดจากทุกโครงการ
      {scope === 'team' && 'ของทุกคนในทีม'}
    </ConfirmInPlace>
  )
}
