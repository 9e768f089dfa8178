import { useState } from 'react'
import type { PursuitStage } from '#contract/account/pursuit-settings.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { StageReasonForm } from './stage-reason-dialog.tsx'

type DecisionDialogProps = {
  stage: PursuitStage | undefined
  declined: PursuitStage | undefined
  name: string
  onDone: (decision: 'bid' | undefined) => void
  onDecline: (reason: string) => void
}

/**
 * Asks for the bid decision when a card moves past the decision stage; closing or skipping the dialog moves the card
 * undecided. The same dialog also asks for the reason for declining, because a second dialog would lose the focus when
 * the first one restores it.
 */
export function BidDecisionDialog({ stage, declined, name, onDone, onDecline }: DecisionDialogProps) {
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
        <StageReasonForm
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
            <Button variant="quiet" onClick={() => onDone(undefined)} className="mr-auto">
              ข้าม
            </Button>
            {declined && <Button onClick={() => setAgainst(true)}>ไม่ยื่น</Button>}
            <Button variant="primary" data-autofocus onClick={() => onDone('bid')}>
              ยื่น
            </Button>
          </div>
        </div>
      )}
    </Modal>
  )
}
