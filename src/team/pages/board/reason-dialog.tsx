import { useState } from 'react'
import type { PursuitStage } from '#contract/account/pursuit-settings.ts'
import { MAX_REASON_LENGTH } from '#contract/team/pursuit.ts'
import { Button } from '#src/ui/button.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { Modal } from '#src/ui/overlay/modal.tsx'

type ReasonDialogProps = {
  stage: PursuitStage | undefined
  name: string
  onDone: (reason: string) => void
  onClose: () => void
}

export function ReasonDialog({ stage, name, onDone, onClose }: ReasonDialogProps) {
  const [last, setLast] = useState(stage)
  if (stage !== undefined && stage !== last) setLast(stage)
  return (
    <Modal open={stage !== undefined} onClose={onClose} title={`ย้ายไป “${last?.name ?? ''}”`} description={name}>
      <ReasonForm label={last?.kind === 'lost' ? 'แพ้เพราะอะไร' : 'ไม่ยื่นเพราะอะไร'} onDone={onDone} onClose={onClose} />
    </Modal>
  )
}

type ReasonFormProps = Pick<ReasonDialogProps, 'onDone' | 'onClose'> & { label: string }

export function ReasonForm({ label, onDone, onClose }: ReasonFormProps) {
  const [text, setText] = useState('')
  const [isTried, setTried] = useState(false)
  const isMissing = isTried && text.trim() === ''
  return (
    <form
      noValidate
      className="space-y-3 p-4"
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (text.trim() !== '') onDone(text.trim())
      }}
    >
      <label className="block">
        <span className="mb-1 block font-medium">{label}</span>
        <textarea
          data-autofocus
          ref={focusOnMount}
          rows={3}
          maxLength={MAX_REASON_LENGTH}
          value={text}
          aria-invalid={isMissing}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            event.currentTarget.form?.requestSubmit()
          }}
          className="w-full rounded-control border border-control bg-surface px-2.5 py-1.5 touch:text-lg"
        />
      </label>
      {isMissing && (
        <p role="alert" className="text-sm text-urgent">
          ใส่เหตุผลหนึ่งอย่าง จะได้รู้ว่าเสียงานไปเพราะอะไร
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
