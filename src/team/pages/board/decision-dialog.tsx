import { useState } from 'react'
import type { Stage } from '#contract/account/pursuit-settings.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { ReasonForm } from './reason-dialog.tsx'

type DecisionDialogProps = {
  /** The stage that the card goes to; undefined: the dialog is closed. */
  stage: Stage | undefined
  /** Where it goes when we do not bid; an organisation may have no such stage. */
  declined: Stage | undefined
  name: string
  /** Undefined: not said now. */
  onDone: (decision: 'bid' | undefined) => void
  onDecline: (reason: string) => void
}

/**
 * Asks whether we bid when a card goes past the deciding; passed over or closed, the card goes there undecided. Against it asks why in the same dialog: a
 * second one would lose the focus to what the first gives it back to.
 */
export function DecisionDialog({ stage, declined, name, onDone, onDecline }: DecisionDialogProps) {
  const [last, setLast] = useState(stage)
  const [isAgainst, setAgainst] = useState(false)
  if (stage !== undefined && stage !== last) {
    setLast(stage)
    setAgainst(false)
  }
  const to = isAgainst ? declined : last
  return (
    <Modal
      open={stage !== undefined}
      onClose={() => onDone(undefined)}
      title={`ย้ายไป “${to?.name ?? ''}”`}
      description={name}
    >
      {isAgainst ? (
        <ReasonForm
          label="ไม่ยื่นเพราะอะไร"
          onDone={(reason) => {
            setAgainst(false)
            onDecline(reason)
          }}
          onClose={() => setAgainst(false)}
        />
      ) : (
        <div className="p-4">
          <p className="font-medium">ตัดสินใจแล้วหรือยัง</p>
          <p className="mt-1 text-sm text-ink-muted">ข้ามได้ ตัดสินใจทีหลังในหน้าโครงการ</p>
          <div className="mt-4 flex flex-wrap justify-end gap-2">
            <Button look="quiet" onClick={() => onDone(undefined)} className="mr-auto">
              ข้าม
            </Button>
            {declined && <Button onClick={() => setAgainst(true)}>ไม่ยื่น</Button>}
            <Button look="primary" data-autofocus onClick={() => onDone('bid')}>
              ยื่น
            </Button>
          </div>
        </div>
      )}
    </Modal>
  )
}
