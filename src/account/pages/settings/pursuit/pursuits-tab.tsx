import { useMutation, useQuery } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useState } from 'react'
import {
  MAX_CHECKLIST_ITEM_LENGTH,
  MAX_PURSUIT_CHECKLIST_ITEMS,
  MAX_PURSUIT_STAGE_NAME_LENGTH,
  MAX_PURSUIT_STAGES,
  MIN_PURSUIT_STAGES,
  PURSUIT_STAGE_KINDS,
  type PursuitSettings,
  type PursuitSettingsPatch,
  type PursuitStage,
} from '#contract/account/pursuit-settings.ts'
import { getRoleLabel, USER_ROLES } from '#contract/account/user.ts'
import { pursuitSettingsQuery, savePursuitSettings } from '#src/account/api/pursuit-settings.ts'
import { getSettingsSaveProblemText } from '#src/account/pages/settings/form/save-problem.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { Button } from '#src/ui/button.tsx'
import { Checkbox } from '#src/ui/form/checkbox.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { TextArea } from '#src/ui/form/text-area.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { showToast } from '#src/ui/overlay/toast.ts'
import { QueryView } from '#src/ui/query-view.tsx'

export function PursuitsTab() {
  const pursuitSettings = useQuery(pursuitSettingsQuery)
  return (
    <QueryView query={pursuitSettings} task="โหลดการตั้งค่างานของเรา" barsClassName="space-y-3" bars={['h-64', 'h-32']}>
      {(data) => (
        <>
          <SettingsSection
            title="ขั้นของงาน"
            description="ชื่อและลำดับเป็นของทีม ชนิดบอกระบบว่านับเป็นอะไรในผลงาน งานใหม่เริ่มที่ขั้นแรก"
          >
            <PursuitStagesForm key={JSON.stringify(data.stages)} stages={data.stages} />
          </SettingsSection>
          <SettingsSection title="รายการตรวจตั้งต้น" description="งานใหม่ทุกงานเริ่มด้วยรายการนี้ งานที่มีอยู่แล้วไม่เปลี่ยน">
            <TemplateForm key={JSON.stringify(data.template)} settings={data} />
          </SettingsSection>
          <SettingsSection title="ใครเห็นราคาที่เราจะเสนอ" description="คนที่ไม่ได้เลือกไว้ไม่เห็นและใส่ราคาไม่ได้">
            <PriceRoles roles={data.price_roles} />
          </SettingsSection>
        </>
      )}
    </QueryView>
  )
}

async function save(patch: PursuitSettingsPatch): Promise<void> {
  await savePursuitSettings(patch)
  showDoneToast('บันทึกการตั้งค่างานของเราแล้ว')
}

function TemplateForm({ settings: { template } }: { settings: PursuitSettings }) {
  const stored = template.join('\n')
  const [text, setText] = useState(stored)
  const { mutate, isPending, error } = useMutation({ mutationFn: save })
  const items = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const isDirty = items.join('\n') !== stored
  useUnsavedChanges(isDirty)
  const tooLong =
    items.some((item) => item.length > MAX_CHECKLIST_ITEM_LENGTH) || items.length > MAX_PURSUIT_CHECKLIST_ITEMS
  return (
    <div className="space-y-3">
      <TextArea
        aria-label="รายการตรวจตั้งต้น บรรทัดละรายการ"
        rows={Math.min(12, Math.max(4, items.length + 1))}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <p role="status" className={error || tooLong ? 'text-sm text-urgent' : 'text-sm text-ink-muted'}>
        {tooLong
          ? `มีได้ไม่เกิน ${MAX_PURSUIT_CHECKLIST_ITEMS} รายการ รายการละไม่เกิน ${MAX_CHECKLIST_ITEM_LENGTH} ตัวอักษร`
          : error
            ? getSettingsSaveProblemText(error)
            : `บรรทัดละรายการ ${items.length} รายการ`}
      </p>
      <Button disabled={!isDirty || tooLong} pending={isPending} onClick={() => mutate({ template: items })}>
        บันทึกรายการตรวจ
      </Button>
    </div>
  )
}

function PriceRoles({ roles }: { roles: readonly string[] }) {
  const { mutate, isPending } = useMutation({
    mutationFn: save,
    onError: (error) => showToast({ text: `บันทึกไม่สำเร็จ ${getSettingsSaveProblemText(error)}`, tone: 'error' }),
  })
  const set = (code: string, isOn: boolean) => {
    const chosen = USER_ROLES.filter((role) => (role.code === code ? isOn : roles.includes(role.code)))
    mutate({ price_roles: chosen.map((role) => role.code) })
  }
  return (
    <div className="space-y-1">
      {USER_ROLES.map(({ code }) => (
        <Checkbox key={code} checked={roles.includes(code)} disabled={isPending} onChange={(isOn) => set(code, isOn)}>
          {getRoleLabel(code)}
        </Checkbox>
      ))}
    </div>
  )
}

const MOVES = [
  [-1, ArrowUp, 'ขึ้น'],
  [1, ArrowDown, 'ลง'],
] as const
const KINDS = PURSUIT_STAGE_KINDS.map(({ code, th }) => ({ value: code, th }))

function PursuitStagesForm({ stages }: Pick<PursuitSettings, 'stages'>) {
  const [draft, setDraft] = useState<readonly PursuitStage[]>(stages)
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: save })
  const isDirty = JSON.stringify(draft) !== JSON.stringify(stages)
  useUnsavedChanges(isDirty)
  const change = (nextStages: readonly PursuitStage[]) => {
    setDraft(nextStages)
    reset()
  }
  const edit = (id: string, changes: Partial<PursuitStage>) =>
    change(draft.map((stage) => (stage.id === id ? { ...stage, ...changes } : stage)))
  const move = (at: number, by: number) => {
    const reordered = [...draft]
    reordered.splice(at + by, 0, ...reordered.splice(at, 1))
    change(reordered)
  }
  const names = draft.map(({ name }) => name.trim())
  const problem = names.includes('')
    ? 'ตั้งชื่อทุกขั้นก่อน'
    : new Set(names).size < names.length
      ? 'ชื่อขั้นซ้ำกัน'
      : draft[0]?.kind !== 'open'
        ? 'ขั้นแรกต้องเป็นขั้นที่กำลังทำ'
        : undefined
  const refusal = error ? getSettingsSaveProblemText(error) : undefined
  return (
    <div className="space-y-3">
      <ol className="space-y-2">
        {draft.map((stage, at) => (
          <li key={stage.id} className="flex flex-wrap items-center gap-2">
            <span className="w-5 text-right text-sm text-ink-muted tabular-nums">{at + 1}</span>
            <input
              aria-label={`ชื่อขั้นที่ ${at + 1}`}
              maxLength={MAX_PURSUIT_STAGE_NAME_LENGTH}
              value={stage.name}
              onChange={(event) => edit(stage.id, { name: event.currentTarget.value })}
              className="h-9 min-w-0 flex-1 basis-40 rounded-control border border-control bg-surface px-2.5 touch:h-11.5 touch:text-lg"
            />
            <Listbox
              label={`ชนิดของขั้นที่ ${at + 1}`}
              value={stage.kind}
              options={KINDS}
              onChange={(kind) => edit(stage.id, { kind })}
              className="h-9 w-32 touch:h-11.5"
            />
            <span className="flex">
              {MOVES.map(([by, icon, direction]) => (
                <IconButton
                  key={by}
                  icon={icon}
                  size="sm"
                  label={`เลื่อน ${stage.name} ${direction}`}
                  disabled={draft[at + by] === undefined}
                  onClick={() => move(at, by)}
                />
              ))}
              <IconButton
                icon={X}
                size="sm"
                label={`ลบขั้น ${stage.name}`}
                disabled={draft.length <= MIN_PURSUIT_STAGES}
                onClick={() => change(draft.filter(({ id }) => id !== stage.id))}
              />
            </span>
          </li>
        ))}
      </ol>
      {(problem ?? refusal) && (
        <p role="alert" className="text-sm text-urgent">
          {problem ?? refusal}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          icon={Plus}
          variant="quiet"
          disabled={draft.length >= MAX_PURSUIT_STAGES}
          onClick={() => change([...draft, { id: crypto.randomUUID(), name: '', kind: 'open' }])}
        >
          เพิ่มขั้น
        </Button>
        <Button
          disabled={!isDirty || problem !== undefined}
          pending={isPending}
          onClick={() => mutate({ stages: draft.map((stage) => ({ ...stage, name: stage.name.trim() })) })}
        >
          บันทึกขั้น
        </Button>
      </div>
    </div>
  )
}
