import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { type EmailChange, type EmailChangeRequest, emailChangeRequestSchema } from '#contract/account/email-change.ts'
import { firstNameSchema, lastNameSchema } from '#contract/account/person-name.ts'
import { getRoleLabel, type User } from '#contract/account/user.ts'
import { cancelEmailChange, emailChangeQuery, requestEmailChange } from '#src/account/api/email-change.ts'
import { leaveOrganisation } from '#src/account/api/members.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { runOptimisticChange } from '#src/api/optimistic-changes.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { patchUser, userPatchMutation } from '#src/report/api/user-patches.ts'
import { Avatar, formatFullName } from '#src/shell/session/avatar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { NameFields } from '#src/ui/form/name-fields.tsx'
import { Switch } from '#src/ui/form/switch.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { QueryView } from '#src/ui/query-view.tsx'

const nameFormSchema = z.object({ first_name: firstNameSchema, last_name: lastNameSchema })
type NameFormValues = z.output<typeof nameFormSchema>
const saveName = (names: NameFormValues) =>
  runOptimisticChange(userPatchMutation, names, {
    message: { failed: 'บันทึกชื่อไม่สำเร็จ', done: 'บันทึกชื่อแล้ว' },
    queuesOffline: false,
  })

function NameForm({ user }: { user: Pick<User, 'first_name' | 'last_name'> }) {
  const { register, handleSubmit, formState, reset } = useForm<NameFormValues>({
    resolver: standardSchemaResolver(nameFormSchema),
    mode: 'onTouched',
    defaultValues: { first_name: user.first_name ?? '', last_name: user.last_name ?? '' },
  })
  const { errors, isDirty } = formState
  useUnsavedChanges(isDirty)
  const { mutate, isPending } = useMutation({ mutationFn: saveName })
  return (
    <form
      noValidate
      onSubmit={handleSubmit((names) => mutate(names, { onSuccess: () => reset(names) }))}
      aria-busy={isPending}
      className="space-y-4"
    >
      <NameFields
        first={{ error: errors.first_name?.message, ...register('first_name') }}
        last={{ error: errors.last_name?.message, ...register('last_name') }}
      />
      {isDirty && (
        <div className="flex justify-end gap-2">
          <Button onClick={() => reset()}>ยกเลิก</Button>
          <Button type="submit" variant="primary" pending={isPending}>
            บันทึก
          </Button>
        </div>
      )}
    </form>
  )
}

/**
 * Lets users share which projects they viewed; in return they see the views of colleagues who share too. Off by
 * default, because people read less when colleagues can see what they read.
 */
function ShareViewsSection({ isShared }: { isShared: boolean }) {
  return (
    <SettingsSection title="ทีม">
      <Switch
        label="ให้ทีมเห็นว่าฉันดูโครงการใดแล้ว"
        checked={isShared}
        onChange={(on) =>
          void patchUser(
            { shares_looks: on },
            {
              failed: `${on ? 'เปิด' : 'ปิด'}ไม่สำเร็จ`,
              done: on ? 'เพื่อนร่วมทีมที่เปิดไว้เห็นสิ่งที่คุณดูตั้งแต่ตอนนี้' : 'ไม่มีใครเห็นแล้วว่าคุณดูอะไร',
            },
          )
        }
      >
        เห็นกันเฉพาะคนที่เปิดเหมือนกัน: เขาเห็นชื่อคุณในโครงการที่คุณเปิดดูหลังจากนี้ และคุณเห็นของเขา ปิดเมื่อใด ที่เคยเห็นหายไปทั้งหมด
        เปิดใหม่เริ่มนับใหม่
      </Switch>
    </SettingsSection>
  )
}

function LeaveSection({ organisation }: { organisation: string }) {
  const [isConfirming, setConfirming] = useState(false)
  const { mutate: leave, isPending } = useMutation({
    mutationFn: leaveOrganisation,
    ...toastMutationResult('ออกจากองค์กรไม่สำเร็จ'),
    onSettled: () => setConfirming(false),
  })
  return (
    <SettingsSection title="ออกจากองค์กร" description="บัญชีจะถูกปิดทันที เฉพาะ Super User ขององค์กรเปิดให้ใหม่ได้">
      {isConfirming ? (
        <InlineConfirmation
          label="ยืนยันการออกจากองค์กร"
          no="ไม่ออก"
          yes="ออกจากองค์กร"
          onNo={() => setConfirming(false)}
          onYes={leave}
          pending={isPending}
        >
          ออกจาก {organisation} และออกจากระบบทุกอุปกรณ์
        </InlineConfirmation>
      ) : (
        <Button onClick={() => setConfirming(true)}>ออกจากองค์กร…</Button>
      )}
    </SettingsSection>
  )
}

export function ProfileTab() {
  const user = useUser()
  const { name } = useOrganisation()
  return (
    <>
      <SettingsSection title="โปรไฟล์">
        <div className="mb-4 flex flex-wrap items-center gap-3">
          <Avatar user={user} />
          <div className="min-w-0 flex-1 basis-56">
            <p className="font-medium wrap-anywhere">{formatFullName(user)}</p>
            {user.email && <p className="text-ink-muted wrap-anywhere">{user.email}</p>}
          </div>
          <Badge>{getRoleLabel(user.role)}</Badge>
        </div>
        <NameForm user={user} />
      </SettingsSection>
      <EmailSection />
      <ShareViewsSection isShared={user.shares_looks === true} />
      <LeaveSection organisation={name} />
    </>
  )
}

function EmailSection() {
  const emailChange = useQuery(emailChangeQuery)
  return (
    <SettingsSection title="เปลี่ยนอีเมล" description="ส่งลิงก์ยืนยันไปทั้งอีเมลเดิมและอีเมลใหม่ อีเมลจะเปลี่ยนเมื่อยืนยันครบทั้งสองฝั่ง">
      <QueryView query={emailChange} task="โหลดคำขอเปลี่ยนอีเมล" barsClassName="space-y-3" bars={['h-10']}>
        {(change) => (change === null ? <EmailForm /> : <PendingChange change={change} />)}
      </QueryView>
    </SettingsSection>
  )
}

function EmailForm() {
  const form = useForm<EmailChangeRequest>({
    resolver: standardSchemaResolver(emailChangeRequestSchema),
    defaultValues: { email: '' },
  })
  const { isDirty } = form.formState
  useUnsavedChanges(isDirty)
  const { submit, refusal, field, isSubmitting } = useFormSubmit(form, ['email'], async (values) => {
    await requestEmailChange(values)
    form.reset()
    showToast({ text: 'ส่งลิงก์ยืนยันไปทั้งสองอีเมลแล้ว', tone: 'done' })
  })
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-3">
      <FormSubmitError refusal={refusal} />
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="อีเมลใหม่"
          type="email"
          autoComplete="off"
          className="min-w-0 flex-1 basis-64"
          {...field('email')}
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
