import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import type { PursuitStage } from '#contract/account/pursuit-settings.ts'
import { MAX_DECISION_REASON_LENGTH } from '#contract/team/pursuit.ts'
import { Button } from '#src/ui/button.tsx'
import { TextArea } from '#src/ui/form/text-area.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'

type ReasonDialogProps = {
  stage: PursuitStage | undefined
  name: string
  onDone: (reason: string) => void
  onClose: () => void
}

export function StageReasonDialog({ stage, name, onDone, onClose }: ReasonDialogProps) {
  const [last, setLast] = useState(stage)
  if (stage !== undefined && stage !== last) setLast(stage)
  return (
    <Modal open={stage !== undefined} onClose={onClose} title={`ย้ายไป “${last?.name ?? ''}”`} description={name}>
      <StageReasonForm
        label={last?.kind === 'lost' ? 'แพ้เพราะอะไร' : 'ไม่ยื่นเพราะอะไร'}
        onDone={onDone}
        onClose={onClose}
      />
    </Modal>
  )
}

type ReasonFormProps = Pick<ReasonDialogProps, 'onDone' | 'onClose'> & { label: string }

export function StageReasonForm({ label, onDone, onClose }: ReasonFormProps) {
  const id = useId()
  const { register, handleSubmit, formState } = useForm({ defaultValues: { reason: '' } })
  const { reason: problem } = formState.errors
  const submit = handleSubmit(({ reason }) => onDone(reason.trim()))
  return (
    <form noValidate className="space-y-3 p-4" onSubmit={(event) => void submit(event)}>
      <div>
        <label htmlFor={id} className="mb-1 block font-medium">
          {label}
        </label>
        <TextArea
          id={id}
          autoFocus
          data-autofocus
          rows={3}
          maxLength={MAX_DECISION_REASON_LENGTH}
          aria-invalid={problem !== undefined}
          {...register('reason', {
            validate: (reason) => reason.trim() !== '' || 'ใส่เหตุผลหนึ่งอย่าง จะได้รู้ว่าเสียงานไปเพราะอะไร',
          })}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
        />
      </div>
      {problem && (
        <p role="alert" className="text-sm text-urgent">
          {problem.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>ยกเลิก</Button>
        <Button type="submit" variant="primary">
          ย้าย
        </Button>
      </div>
    </form>
  )
}
