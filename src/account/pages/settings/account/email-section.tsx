import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { type EmailChange, type EmailChangeRequest, emailChangeRequestSchema } from '#contract/account/email-change.ts'
import { cancelEmailChange, emailChangeQuery, requestEmailChange } from '#src/account/api/email-change.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Button } from '#src/ui/button.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

export function EmailSection() {
  const emailChange = useQuery(emailChangeQuery)
  return (
    <SettingsSection title="เปลี่ยนอีเมล" description="ส่งลิงก์ยืนยันไปทั้งอีเมลเดิมและอีเมลใหม่ อีเมลจะเปลี่ยนเมื่อยืนยันครบทั้งสองฝั่ง">
      <QueryView
        query={emailChange}
        errorTitle="โหลดคำขอเปลี่ยนอีเมลไม่สำเร็จ"
        skeleton={<SkeletonGroup className="space-y-3" bars={['h-10']} />}
      >
        {(change) => (change === null ? <EmailForm /> : <PendingChange change={change} />)}
      </QueryView>
    </SettingsSection>
  )
}

function EmailForm() {
  const { register, handleSubmit, formState, setError, reset } = useForm<EmailChangeRequest>({
    resolver: standardSchemaResolver(emailChangeRequestSchema),
    defaultValues: { email: '' },
  })
  const { errors, isDirty, isSubmitting } = formState
  useUnsavedChanges(isDirty)
  const { submit, refusal } = useFormSubmit({ handleSubmit, setError }, ['email'], async (form) => {
    await requestEmailChange(form)
    reset()
    showToast({ text: 'ส่งลิงก์ยืนยันไปทั้งสองอีเมลแล้ว', tone: 'done' })
  })
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-3">
      <FormSubmitError refusal={refusal} />
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="อีเมลใหม่"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.email?.message}
          className="min-w-0 flex-1 basis-64"
          {...register('email')}
        />
        <Button type="submit" pending={isSubmitting} className="sm:mt-6.5 max-sm:w-full">
          ส่งลิงก์ยืนยัน
        </Button>
      </div>
    </form>
  )
}

function PendingChange({ change: { new_email, old_confirmed, new_confirmed, expires_at } }: { change: EmailChange }) {
  const { mutate, isPending } = useMutation({
    mutationFn: cancelEmailChange,
    ...toastMutationResult('หยุดไม่สำเร็จ', 'หยุดการเปลี่ยนอีเมลแล้ว'),
  })
  return (
    <div className="space-y-3">
      <p>
        กำลังเปลี่ยนเป็น <span className="font-medium wrap-anywhere">{new_email}</span>
      </p>
      <ul className="text-sm text-ink-muted">
        <li>อีเมลเดิม: {old_confirmed ? 'ยืนยันแล้ว' : 'รอยืนยันจากลิงก์ในอีเมล'}</li>
        <li>อีเมลใหม่: {new_confirmed ? 'ยืนยันแล้ว' : 'รอยืนยันจากลิงก์ในอีเมล'}</li>
        <li>ลิงก์ใช้ได้ถึง {formatThaiDateTime(expires_at)}</li>
      </ul>
      <Button pending={isPending} onClick={() => mutate()}>
        หยุดการเปลี่ยน
      </Button>
    </div>
  )
}
