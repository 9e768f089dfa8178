import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { findSuspensionDays, type ReportCard } from '#contract/account/report-card.ts'
import { deleteReportCard, saveReportCard } from '#src/account/api/report-cards.ts'
import { getErrorText } from '#src/lib/problem-error.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { ThaiDateField } from '#src/ui/form/thai-date-field.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

type ReportCardDialogProps = {
  taxId: string
  name: string
  card: ReportCard | undefined
  onClose: () => void
}

export function ReportCardDialog({ taxId, name, card, onClose }: ReportCardDialogProps) {
  const today = useBangkokToday()
  const [typed, setTyped] = useState(card?.points?.toString() ?? '')
  const [until, setUntil] = useState(card?.suspended_until ?? null)
  const points = typed.trim() === '' ? null : Number(typed)
  const isWrong = points !== null && !Number.isInteger(points)
  const finish = (text: string) => {
    showToast({ tone: 'done', text })
    onClose()
  }
  const save = useMutation({
    mutationFn: () => saveReportCard(taxId, { name, points, suspended_until: until }),
    onSuccess: () => finish('บันทึกสมุดพกแล้ว'),
  })
  const remove = useMutation({ mutationFn: () => deleteReportCard(taxId), onSuccess: () => finish('ลบสมุดพกแล้ว') })
  const days = points === null || isWrong ? undefined : findSuspensionDays(points)
  const error = save.error ?? remove.error
  return (
    <Modal
      open
      onClose={onClose}
      title="สมุดพกผู้รับเหมา"
      description={`${name} เห็นเฉพาะคนในองค์กรของคุณ ตรวจกับประกาศของกรมบัญชีกลาง`}
      footer={
        <>
          {card && (
            <Button variant="danger" pending={remove.isPending} onClick={() => remove.mutate()}>
              ลบ
            </Button>
          )}
          <Button
            variant="primary"
            disabled={isWrong || (points === null && until === null)}
            pending={save.isPending}
            onClick={() => save.mutate()}
          >
            บันทึก
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 px-5 py-4">
        <TextField
          data-autofocus
          label="แต้ม"
          inputMode="numeric"
          value={typed}
          error={isWrong ? 'ใส่แต้มเป็นเลขจำนวนเต็ม' : undefined}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {days !== undefined && <p className="text-sm text-ink-muted">แต้มเท่านี้ ตามเกณฑ์พักสิทธิ {days} วัน</p>}
        <ThaiDateField label="พักสิทธิถึง" iso={until} example={today} today={today} onSet={setUntil} />
        {error && (
          <p role="alert" className="text-sm text-urgent">
            {getErrorText(error)}
          </p>
        )}
      </div>
    </Modal>
  )
}
