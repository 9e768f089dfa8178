import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod/mini'
import {
  findSuspensionDays,
  type ReportCard,
  statesPointsOrSuspension,
  typedReportCardPointsSchema,
} from '#contract/account/report-card.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { deleteReportCard, saveReportCard, useReportCards } from '#src/account/api/report-cards.ts'
import { useUser } from '#src/account/api/users.ts'
import { SchemaForm, useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { thaiDateSchema } from '#src/lib/thai-date-schema.ts'
import { useBangkokToday } from '#src/lib/use-server-time.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { ReportCardBadge } from './report-card-badge.tsx'

export function CompanyReportCard({ taxId, name }: { taxId: string | null; name: string }) {
  const { role } = useUser()
  const card = useReportCards().get(taxId ?? '')
  const [isOpen, setOpen] = useState(false)
  if (taxId === null || isDemoSession()) return null
  return (
    <>
      <ReportCardBadge taxId={taxId} />
      {role === 'super_user' && (
        <Button variant="link" size="sm" className="print:hidden" onClick={() => setOpen(true)}>
          {card ? 'แก้สมุดพก' : 'บันทึกสมุดพก'}
        </Button>
      )}
      {isOpen && <ReportCardDialog taxId={taxId} name={name} card={card} onClose={() => setOpen(false)} />}
    </>
  )
}

const reportCardFormSchema = z
  .object({ points: typedReportCardPointsSchema, suspended_until: thaiDateSchema })
  .check(statesPointsOrSuspension)

type ReportCardDialogProps = {
  taxId: string
  name: string
  card: ReportCard | undefined
  onClose: () => void
}

function ReportCardDialog({ taxId, name, card, onClose }: ReportCardDialogProps) {
  const today = useBangkokToday()
  const formId = useId()
  const finish = (text: string) => {
    showDoneToast(text)
    onClose()
  }
  const form = useSchemaForm(
    {
      schema: reportCardFormSchema,
      fields: ['points', 'suspended_until'],
      mode: 'onChange',
      defaultValues: {
        points: card?.points?.toString() ?? '',
        suspended_until: card?.suspended_until ? formatThaiDate(card.suspended_until) : '',
      },
    },
    async (values) => {
      await saveReportCard(taxId, { name, ...values })
      finish('บันทึกสมุดพกแล้ว')
    },
  )
  const remove = useMutation({
    mutationFn: () => deleteReportCard(taxId),
    onSuccess: () => finish('ลบสมุดพกแล้ว'),
    onError: form.showRefusal,
  })
  const { data: points } = typedReportCardPointsSchema.safeParse(useWatch({ control: form.control, name: 'points' }))
  const days = points === undefined || points === null ? undefined : findSuspensionDays(points)
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
            type="submit"
            form={formId}
            disabled={!form.formState.isValid}
            pending={form.isSubmitting}
          >
            บันทึก
          </Button>
        </>
      }
    >
      <SchemaForm form={form} id={formId} className="flex flex-col gap-3 px-5 py-4">
        <TextField data-autofocus label="แต้ม" inputMode="numeric" autoComplete="off" {...form.field('points')} />
        {days !== undefined && <p className="text-sm text-ink-muted">แต้มเท่านี้ ตามเกณฑ์พักสิทธิ {days} วัน</p>}
        <TextField
          label="พักสิทธิถึง"
          placeholder={formatThaiDate(today)}
          autoComplete="off"
          {...form.field('suspended_until')}
        />
      </SchemaForm>
    </Modal>
  )
}
