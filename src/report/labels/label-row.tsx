import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { Palette, Pencil, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { type Label, MAX_LABEL_NAME_LENGTH } from '#contract/account/label.ts'
import { isLabelColor, LABEL_COLORS, type LabelColor } from '#contract/account/label-palette.ts'
import { classNames } from '#src/lib/class-names.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { Button } from '#src/ui/button.tsx'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { getLabelColorClasses, LabelChip } from '#src/ui/project/label-chip.tsx'
import { deleteLabel, LABEL_SCOPE_NAMES, type LabelScope, recolorLabel, renameLabel } from './label-changes.ts'
import { createUniqueLabelSchema } from './unique-label-schema.ts'

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
  const renameButton = useRef<HTMLButtonElement>(null)
  const colorButton = useRef<HTMLButtonElement>(null)
  const deleteButton = useRef<HTMLButtonElement>(null)
  const close = () => {
    const button = { name: renameButton, color: colorButton, delete: deleteButton }[openForm!]
    flushSync(() => setOpen(undefined))
    button.current?.focus()
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
        <NameForm label={label} otherLabels={otherLabels} scope={scope} onClose={close} />
      ) : (
        <div className="flex items-center gap-1">
          <LabelChip label={chip} className="min-w-0 py-0.5 text-sm" />
          <span className="ml-2 min-w-0 flex-1 text-sm text-ink-muted">
            {projects === 0 ? 'ยังไม่ได้ใช้' : `${formatCount(projects)} โครงการ`}
            {creator !== undefined && ` · สร้างโดย ${creator}`}
          </span>
          {creator === undefined && (
            <>
              <IconButton
                icon={Pencil}
                ref={renameButton}
                label={`เปลี่ยนชื่อ${scopeLabel} ${label.name}`}
                title="เปลี่ยนชื่อ"
                onClick={() => setOpen('name')}
              />
              <IconButton
                icon={Palette}
                ref={colorButton}
                label={`เปลี่ยนสี${scopeLabel} ${label.name}`}
                title="เปลี่ยนสี"
                aria-expanded={openForm === 'color'}
                onClick={() => setOpen(openForm === 'color' ? undefined : 'color')}
              />
              <IconButton
                icon={Trash2}
                ref={deleteButton}
                label={`ลบ${scopeLabel} ${label.name}`}
                title="ลบ"
                onClick={() => (projects === 0 ? remove() : setOpen('delete'))}
              />
            </>
          )}
        </div>
      )}
      {openForm === 'color' && (
        <EventDelegationBox className="py-2" onKeyDown={(event) => closeOnEscape(event, close)}>
          <LabelColorPicker label={label} onChange={(color) => void recolorLabel(label, color, scope)} />
        </EventDelegationBox>
      )}
      {openForm === 'delete' && (
        <DeleteConfirmation label={label} projects={projects} scope={scope} onDelete={remove} onClose={close} />
      )}
    </li>
  )
}

/** Makes Esc close the form in the row instead of the surrounding dialog. */
function closeOnEscape(event: KeyboardEvent, close: () => void): void {
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
  const { register, handleSubmit, formState } = useForm<{ name: string }>({
    resolver: standardSchemaResolver(createUniqueLabelSchema(otherLabels)),
    defaultValues: { name: label.name },
  })
  const save = handleSubmit(({ name }) => {
    if (name !== label.name) void renameLabel(label, name, scope)
    onClose()
  })
  return (
    <form
      noValidate
      onSubmit={(event) => void save(event)}
      onKeyDown={(event) => closeOnEscape(event, onClose)}
      className="flex flex-wrap items-start gap-2"
    >
      <TextField
        label={`ชื่อใหม่ของ${LABEL_SCOPE_NAMES[scope]} ${label.name}`}
        hideLabel
        autoFocus
        autoComplete="off"
        maxLength={MAX_LABEL_NAME_LENGTH}
        error={formState.errors.name?.message}
        onFocus={(event) => event.currentTarget.select()}
        className="min-w-40 flex-1"
        {...register('name')}
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
    <InlineConfirmation
      label={`ยืนยันการลบ${LABEL_SCOPE_NAMES[scope]} ${label.name}`}
      no="ไม่ลบ"
      yes="ลบป้าย"
      onNo={onClose}
      onYes={onDelete}
      onKeyDown={(event) => closeOnEscape(event, onClose)}
      className="mt-2 rounded-control border border-urgent-line bg-urgent-soft px-3 py-2"
    >
      {LABEL_SCOPE_NAMES[scope]} “{label.name}” ติดอยู่กับ {formatCount(projects)} โครงการ ลบแล้วป้ายจะหลุดจากทุกโครงการ
      {scope === 'team' && 'ของทุกคนในทีม'}
    </InlineConfirmation>
  )
}

const LABEL_COLOR_NAMES: Record<LabelColor, string> = {
  sky: 'ฟ้า',
  amber: 'เหลืองอำพัน',
  emerald: 'เขียวมรกต',
  rose: 'กุหลาบ',
  violet: 'ม่วงเม็ดมะปราง',
  orange: 'ส้ม',
  teal: 'เขียวหัวเป็ด',
  pink: 'ชมพู',
  lime: 'เขียวมะนาว',
  blue: 'น้ำเงิน',
  red: 'แดง',
  indigo: 'คราม',
  yellow: 'เหลือง',
  cyan: 'ฟ้าอมเขียว',
  fuchsia: 'บานเย็น',
  green: 'เขียว',
  purple: 'ม่วง',
  slate: 'เทา',
  'sky-solid': 'ฟ้าเข้ม',
  'orange-solid': 'ส้มเข้ม',
  'green-solid': 'เขียวเข้ม',
  'rose-solid': 'กุหลาบเข้ม',
  'violet-solid': 'ม่วงเม็ดมะปรางเข้ม',
  'teal-solid': 'เขียวหัวเป็ดเข้ม',
  'blue-solid': 'น้ำเงินเข้ม',
  'red-solid': 'แดงเข้ม',
  'fuchsia-solid': 'บานเย็นเข้ม',
  'indigo-solid': 'ครามเข้ม',
  'slate-solid': 'เทาเข้ม',
}

function LabelColorPicker({ label, onChange }: { label: Label; onChange: (color: LabelColor) => void }) {
  const name = useId()
  const [startColor] = useState(isLabelColor(label.color) ? label.color : LABEL_COLORS[0])
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">สีของป้าย {label.name}</legend>
      <div className="flex flex-wrap gap-1.5">
        {LABEL_COLORS.map((color) => (
          <label
            key={color}
            title={LABEL_COLOR_NAMES[color]}
            className={classNames(
              'inline-flex size-8 items-center justify-center rounded-control text-sm inset-ring inset-ring-current/20 has-checked:ring-2 has-checked:ring-accent-ink has-checked:ring-offset-2 has-checked:ring-offset-surface has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent-ink touch:size-11',
              getLabelColorClasses(color),
            )}
          >
            <input
              ref={color === startColor ? focusOnMount : undefined}
              type="radio"
              name={name}
              className="sr-only"
              aria-label={LABEL_COLOR_NAMES[color]}
              checked={label.color === color}
              onChange={() => onChange(color)}
            />
            <span aria-hidden>ก</span>
          </label>
        ))}
      </div>
      <p className="mt-2 text-sm text-ink-muted">
        สีที่เลือก: {isLabelColor(label.color) ? LABEL_COLOR_NAMES[label.color] : LABEL_COLOR_NAMES.slate}
      </p>
    </fieldset>
  )
}
