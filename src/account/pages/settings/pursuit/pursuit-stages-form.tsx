import { useMutation } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react'
import { useState } from 'react'
import {
  MAX_PURSUIT_STAGE_NAME_LENGTH,
  MAX_PURSUIT_STAGES,
  MIN_PURSUIT_STAGES,
  PURSUIT_STAGE_KINDS,
  type PursuitStage,
} from '#contract/account/pursuit-settings.ts'
import { getSettingsSaveProblemText } from '#src/account/pages/settings/form/save-problem.ts'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { Button } from '#src/ui/button.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'

const KINDS = PURSUIT_STAGE_KINDS.map(({ code, th }) => ({ value: code, th }))

type StagesFormProps = {
  stages: readonly PursuitStage[]
  onSave: (stages: PursuitStage[]) => Promise<void>
}

export function PursuitStagesForm({ stages, onSave }: StagesFormProps) {
  const [draft, setDraft] = useState<readonly PursuitStage[]>(stages)
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: onSave })
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
              <IconButton
                icon={ArrowUp}
                size="sm"
                label={`เลื่อน ${stage.name} ขึ้น`}
                disabled={at === 0}
                onClick={() => move(at, -1)}
              />
              <IconButton
                icon={ArrowDown}
                size="sm"
                label={`เลื่อน ${stage.name} ลง`}
                disabled={at === draft.length - 1}
                onClick={() => move(at, 1)}
              />
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
          onClick={() => mutate(draft.map((stage) => ({ ...stage, name: stage.name.trim() })))}
        >
          บันทึกขั้น
        </Button>
      </div>
    </div>
  )
}
