import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { Palette, Pencil, Tag, Trash2, Users } from 'lucide-react'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { isSameDisplayName, type Label, type LabelAssignments, MAX_LABEL_NAME_LENGTH } from '#contract/account/label.ts'
import { isLabelColor, LABEL_COLORS, type LabelColor } from '#contract/account/label-palette.ts'
import { labelNameSchema } from '#contract/account/mark-name.ts'
import { canEditTeamLabel } from '#contract/report/apply-team-label-action.ts'
import type { TeamLabel } from '#contract/report/team-label.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { usePursuitSettings } from '#src/account/api/pursuit-settings.ts'
import { useUser } from '#src/account/api/users.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useElements } from '#src/lib/use-elements.ts'
import { useTeamLabelsAndViews } from '#src/report/api/team-labels-and-views.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { EventDelegationBox } from '#src/ui/event-delegation-box.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { TextField } from '#src/ui/form/text-field.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { getLabelColorClasses, LabelChip } from '#src/ui/project/label-chip.tsx'
import {
  createLabel,
  deleteLabel,
  LABEL_SCOPE_NAMES,
  type LabelScope,
  recolorLabel,
  renameLabel,
} from './label-changes.ts'

export function LabelManager({ onClose }: { onClose: () => void }) {
  const { label_metadata: metadata } = useUser()
  return (
    <Modal
      open
      isTall
      onClose={onClose}
      title="จัดการป้ายกำกับ"
      description={`ใช้ ${formatCount(metadata.currentCount)} จาก ${formatCount(metadata.maxLabels)} ป้าย`}
    >
      <CreateLabelForm canCreate={metadata.canCreateMore} />
      <LabelList />
      {!isDemoSession() && (
        <section aria-labelledby="team-labels" className="border-t border-line">
          <h3 id="team-labels" className="px-4 pt-3 font-semibold">
            ป้ายทีม
          </h3>
          <TeamLabelList />
        </section>
      )}
    </Modal>
  )
}

function CreateLabelForm({ canCreate }: { canCreate: boolean }) {
  const { project_labels: labels } = useUser()
  const { register, handleSubmit, formState, reset } = useLabelNameForm('', labels)
  const reasonId = useId()
  const create = handleSubmit(({ name }) => {
    reset()
    void createLabel(name, labels, [], 'mine')
  })
  return (
    <form
      noValidate
      onSubmit={(event) => void create(event)}
      className="flex flex-wrap items-start gap-2 border-b border-line px-4 py-3"
    >
      <TextField
        label="ชื่อป้ายใหม่"
        hideLabel
        placeholder="ชื่อป้ายใหม่"
        autoComplete="off"
        maxLength={MAX_LABEL_NAME_LENGTH}
        disabled={!canCreate}
        aria-describedby={canCreate ? undefined : reasonId}
        error={formState.errors.name?.message}
        {...register('name')}
        className="min-w-40 flex-1"
      />
      <Button type="submit" disabled={!canCreate}>
        สร้างป้าย
      </Button>
      {!canCreate && (
        <p id={reasonId} className="w-full text-sm text-updated">
          ใช้ป้ายครบจำนวนแล้ว ลบป้ายที่ไม่ใช้ก่อน จึงจะสร้างเพิ่มได้
        </p>
      )}
    </form>
  )
}

type LabelRowProps = {
  label: Label
  otherLabels: readonly Label[]
  projects: number
  scope: LabelScope
  /** Name of the creator; set only for a label that the user cannot edit. */
  creator?: string | undefined
}

const LABEL_ACTIONS = [
  { form: 'name', icon: Pencil, text: 'เปลี่ยนชื่อ' },
  { form: 'color', icon: Palette, text: 'เปลี่ยนสี' },
  { form: 'delete', icon: Trash2, text: 'ลบ' },
] as const
type LabelForm = (typeof LABEL_ACTIONS)[number]['form']

function LabelRow({ label, otherLabels, projects, scope, creator }: LabelRowProps) {
  const scopeLabel = LABEL_SCOPE_NAMES[scope]
  const [openForm, setOpen] = useState<LabelForm>()
  const row = useRef<HTMLLIElement>(null)
  const buttons = useElements<LabelForm>()
  const close = () => {
    flushSync(() => setOpen(undefined))
    buttons.get(openForm!)?.focus()
  }
  const press = (form: LabelForm) => {
    if (form === 'delete' && projects === 0) remove()
    else setOpen(openForm === form ? undefined : form)
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
          <LabelChip label={{ ...label, isTeam: scope === 'team' }} className="min-w-0 py-0.5 text-sm" />
          <span className="ml-2 min-w-0 flex-1 text-sm text-ink-muted">
            {projects === 0 ? 'ยังไม่ได้ใช้' : `${formatCount(projects)} โครงการ`}
            {creator !== undefined && ` · สร้างโดย ${creator}`}
          </span>
          {creator === undefined &&
            LABEL_ACTIONS.map(({ form, icon, text }) => (
              <IconButton
                key={form}
                icon={icon}
                ref={buttons.refOf(form)}
                label={`${text}${scopeLabel} ${label.name}`}
                title={text}
                aria-expanded={form === 'color' ? openForm === 'color' : undefined}
                onClick={() => press(form)}
              />
            ))}
        </div>
      )}
      {openForm === 'color' && (
        <EventDelegationBox className="py-2" onKeyDown={(event) => closeOnEscape(event, close)}>
          <LabelColorPicker label={label} onChange={(color) => void recolorLabel(label, color, scope)} />
        </EventDelegationBox>
      )}
      {openForm === 'delete' && (
        <InlineConfirmation
          label={`ยืนยันการลบ${scopeLabel} ${label.name}`}
          no="ไม่ลบ"
          yes="ลบป้าย"
          onNo={close}
          onYes={remove}
          onKeyDown={(event) => closeOnEscape(event, close)}
          className="mt-2 rounded-control border border-urgent-line bg-urgent-soft px-3 py-2"
        >
          {/* States how many projects use the label before deleting it (D19). */}
          {scopeLabel} “{label.name}” ติดอยู่กับ {formatCount(projects)} โครงการ ลบแล้วป้ายจะหลุดจากทุกโครงการ
          {scope === 'team' && 'ของทุกคนในทีม'}
        </InlineConfirmation>
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

type NameFormProps = Pick<LabelRowProps, 'label' | 'otherLabels' | 'scope'> & { onClose: () => void }

function NameForm({ label, otherLabels, scope, onClose }: NameFormProps) {
  const { register, handleSubmit, formState } = useLabelNameForm(label.name, otherLabels)
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

type LabelHue = Exclude<LabelColor, `${string}-solid`>

const LABEL_HUE_NAMES: Readonly<Record<LabelHue, string>> = {
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
}

function getLabelColorName(color: LabelColor): string {
  const [hue, solid] = color.split('-') as [LabelHue, string?]
  return `${LABEL_HUE_NAMES[hue]}${solid ? 'เข้ม' : ''}`
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
            title={getLabelColorName(color)}
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
              aria-label={getLabelColorName(color)}
              checked={label.color === color}
              onChange={() => onChange(color)}
            />
            <span aria-hidden>ก</span>
          </label>
        ))}
      </div>
      <p className="mt-2 text-sm text-ink-muted">
        สีที่เลือก: {getLabelColorName(isLabelColor(label.color) ? label.color : 'slate')}
      </p>
    </fieldset>
  )
}

/** Form of a label's name, which must differ from those of the other labels. */
function useLabelNameForm(name: string, otherLabels: readonly Label[]) {
  const findNamesake = (typed: string) => otherLabels.find((label) => isSameDisplayName(label.name, typed))
  const unusedName = z.refine<string>((typed) => !findNamesake(typed), {
    error: ({ input }) => `มีป้าย “${findNamesake(input as string)?.name}” อยู่แล้ว`,
  })
  return useForm<{ name: string }>({
    resolver: standardSchemaResolver(z.object({ name: labelNameSchema.check(unusedName) })),
    defaultValues: { name },
  })
}

type LabelRowsProps<L extends Label> = {
  labels: readonly L[]
  assignments: LabelAssignments
  scope: LabelScope
  creatorOf?: (label: L) => string | undefined
}

function LabelRows<L extends Label>({ labels, assignments, scope, creatorOf }: LabelRowsProps<L>) {
  const assignedIds = Object.values(assignments).flat()
  return (
    <ul className="divide-y divide-line">
      {labels.map((label) => (
        <LabelRow
          key={label.id}
          label={label}
          otherLabels={labels.filter(({ id }) => id !== label.id)}
          projects={assignedIds.filter((id) => id === label.id).length}
          scope={scope}
          creator={creatorOf?.(label)}
        />
      ))}
    </ul>
  )
}

function LabelList() {
  const { project_labels: labels, project_label_assignments: assignments } = useUser()
  if (labels.length > 0) return <LabelRows labels={labels} assignments={assignments} scope="mine" />
  return (
    <EmptyState icon={Tag} title="ยังไม่มีป้ายกำกับ">
      ป้ายช่วยแยกงาน เช่น ยื่นแน่ รอราคา และกรองรายงานตามป้ายได้ สร้างที่นี่ หรือจากปุ่ม “ป้าย” ใต้ชื่อโครงการ
    </EmptyState>
  )
}

function TeamLabelList() {
  const team = useTeamLabelsAndViews()
  const { data: settings } = usePursuitSettings(true)
  const { id, role } = useUser()
  if (!team) return null
  const creatorOf = (label: TeamLabel) =>
    canEditTeamLabel(label, { id: Number(id), role })
      ? undefined
      : (settings?.members.find((member) => member.id === label.created_by)?.name ?? 'อดีตเพื่อนร่วมงาน')
  if (team.labels.length > 0)
    return <LabelRows labels={team.labels} assignments={team.assignments} scope="team" creatorOf={creatorOf} />
  return (
    <EmptyState icon={Users} title="ยังไม่มีป้ายทีม">
      ป้ายทีมเห็นทุกคนในองค์กร ติดและเอาออกได้ทุกคน สร้างป้ายแรกจากปุ่ม “ป้าย” ใต้ชื่อโครงการ
    </EmptyState>
  )
}
