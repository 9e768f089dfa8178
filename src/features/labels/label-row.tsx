import { Palette, Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { type Label, MAX_LABEL_NAME, sameName } from '#contract/user/label.ts'
import { isLabelColor, LABEL_COLORS, type LabelColor } from '#contract/user/label-palette.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { Button } from '#src/ui/button.tsx'
import { ConfirmInPlace } from '#src/ui/confirm-in-place.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { LABEL_LOOKS, LabelChip } from '#src/ui/project/label-chip.tsx'
import { deleteLabel, recolorLabel, renameLabel } from './label-changes.ts'

/** What each colour is called, so that it can be chosen without seeing it. */
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

type LabelPaletteProps = { label: Label; onChange: (color: LabelColor) => void }

/** The 29 colours as radio buttons, each as a letter in its own colours; the chosen one is named in words below. */
function LabelPalette({ label, onChange }: LabelPaletteProps) {
  const name = useId()
  const root = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const inputs = root.current?.querySelectorAll('input')
    const start = [...(inputs ?? [])].find((input) => input.checked) ?? inputs?.[0]
    start?.focus()
  }, [])
  return (
    <fieldset ref={root} className="min-w-0">
      <legend className="sr-only">สีของป้าย {label.name}</legend>
      <div className="flex flex-wrap gap-1.5">
        {LABEL_COLORS.map((color) => (
          <label
            key={color}
            title={LABEL_COLOR_NAMES[color]}
            className={classNames(
              'inline-flex size-8 items-center justify-center rounded-control text-sm inset-ring inset-ring-current/20 has-checked:ring-2 has-checked:ring-accent-ink has-checked:ring-offset-2 has-checked:ring-offset-surface has-focus-visible:outline-2 has-focus-visible:outline-offset-4 has-focus-visible:outline-accent-ink touch:size-11',
              LABEL_LOOKS[color],
            )}
          >
            <input
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

type LabelRowProps = {
  label: Label
  /** The other labels, whose names are taken. */
  others: readonly Label[]
  /** How many projects have it. */
  projects: number
}

/** One label of the list, with what can be done to it; one thing is open at a time. */
export function LabelRow({ label, others, projects }: LabelRowProps) {
  const [open, setOpen] = useState<'name' | 'color' | 'delete'>()
  const row = useRef<HTMLLIElement>(null)
  const focusButton = (action: string) =>
    setTimeout(() => row.current?.querySelector<HTMLElement>(`[data-action="${action}"]`)?.focus())
  const close = (action: string) => {
    setOpen(undefined)
    focusButton(action)
  }
  const remove = () => {
    const neighbour = row.current?.nextElementSibling ?? row.current?.previousElementSibling
    const next =
      neighbour?.querySelector('button') ?? row.current?.closest('[role="dialog"], section')?.querySelector('button')
    next?.focus()
    void deleteLabel(label)
  }
  return (
    <li ref={row} className="px-4 py-2">
      {open === 'name' ? (
        <NameForm label={label} others={others} onClose={() => close('name')} />
      ) : (
        <div className="flex items-center gap-1">
          <LabelChip label={label} className="min-w-0 py-0.5 text-sm" />
          <span className="ml-2 min-w-0 flex-1 text-sm text-ink-muted">
            {projects === 0 ? 'ยังไม่ได้ใช้' : `${countText(projects)} โครงการ`}
          </span>
          <IconButton
            icon={Pencil}
            data-action="name"
            label={`เปลี่ยนชื่อป้าย ${label.name}`}
            title="เปลี่ยนชื่อ"
            onClick={() => setOpen('name')}
          />
          <IconButton
            icon={Palette}
            data-action="color"
            label={`เปลี่ยนสีป้าย ${label.name}`}
            title="เปลี่ยนสี"
            aria-expanded={open === 'color'}
            onClick={() => setOpen(open === 'color' ? undefined : 'color')}
          />
          <IconButton
            icon={Trash2}
            data-action="delete"
            label={`ลบป้าย ${label.name}`}
            title="ลบ"
            onClick={() => (projects === 0 ? remove() : setOpen('delete'))}
          />
        </div>
      )}
      {open === 'color' && (
        // biome-ignore lint/a11y/noStaticElementInteractions: Esc bubbles up from the radio buttons
        <div className="py-2" onKeyDown={closeOnEscape(() => close('color'))}>
          <LabelPalette label={label} onChange={(color) => void recolorLabel(label, color)} />
        </div>
      )}
      {open === 'delete' && (
        <DeleteQuestion label={label} projects={projects} onDelete={remove} onClose={() => close('delete')} />
      )}
    </li>
  )
}

/** Esc closes what is open in the row, not the dialog around it. */
const closeOnEscape = (close: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Escape') return
  event.stopPropagation()
  close()
}

function NameForm({ label, others, onClose }: Pick<LabelRowProps, 'label' | 'others'> & { onClose: () => void }) {
  const [name, setName] = useState(label.name)
  const [error, setError] = useState<string>()
  const save = (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    if (wanted === '') return setError('ตั้งชื่อป้ายก่อน')
    const taken = others.find((other) => sameName(other.name, wanted))
    if (taken) return setError(`มีป้าย “${taken.name}” อยู่แล้ว`)
    if (wanted !== label.name) void renameLabel(label, wanted)
    onClose()
  }
  return (
    <form onSubmit={save} onKeyDown={closeOnEscape(onClose)} className="flex flex-wrap items-start gap-2">
      <TextField
        label={`ชื่อใหม่ของป้าย ${label.name}`}
        hideLabel
        autoFocus
        autoComplete="off"
        maxLength={MAX_LABEL_NAME}
        value={name}
        error={error}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setError(undefined)
        }}
        className="min-w-40 flex-1"
      />
      <Button look="primary" type="submit">
        บันทึก
      </Button>
      <Button look="quiet" onClick={onClose}>
        ยกเลิก
      </Button>
    </form>
  )
}

/** A label in use is deleted only after its reach has been said (D19). */
function DeleteQuestion({
  label,
  projects,
  onDelete,
  onClose,
}: Pick<LabelRowProps, 'label' | 'projects'> & { onDelete: () => void; onClose: () => void }) {
  return (
    <ConfirmInPlace
      label={`ยืนยันการลบป้าย ${label.name}`}
      no="ไม่ลบ"
      yes="ลบป้าย"
      onNo={onClose}
      onYes={onDelete}
      onKeyDown={closeOnEscape(onClose)}
      className="mt-2 rounded-control border border-urgent-line bg-urgent-soft px-3 py-2"
    >
      ป้าย “{label.name}” ติดอยู่กับ {countText(projects)} โครงการ ลบแล้วป้ายจะหลุดจากทุกโครงการ
    </ConfirmInPlace>
  )
}
