import { useQuery } from '@tanstack/react-query'
import { z } from 'zod/mini'
import { type EmailChange, emailChangeRequestSchema } from '#contract/account/email-change.ts'
import { firstNameSchema, lastNameSchema } from '#contract/account/person-name.ts'
import { getRoleLabel, type User } from '#contract/account/user.ts'
import { cancelEmailChange, emailChangeQuery, requestEmailChange } from '#src/account/api/email-change.ts'
import { leaveOrganisation } from '#src/account/api/members.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { useUser } from '#src/account/api/users.ts'
import { ActionButton, ConfirmedAction } from '#src/account/form-refusal/action-button.tsx'
import { useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { SettingsForm } from '#src/account/pages/settings/form/settings-form.tsx'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { patchUser } from '#src/report/api/user-patches.ts'
import { Avatar, formatFullName } from '#src/shell/session/avatar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { NameFields } from '#src/ui/form/name-fields.tsx'
import { Switch } from '#src/ui/form/switch.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { QueryView } from '#src/ui/query-view.tsx'

export function ProfileTab() {
  const user = useUser()
  const { name } = useOrganisation()
  const emailChange = useQuery(emailChangeQuery)
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
      <SettingsSection title="เปลี่ยนอีเมล" description="ส่งลิงก์ยืนยันไปทั้งอีเมลเดิมและอีเมลใหม่ อีเมลจะเปลี่ยนเมื่อยืนยันครบทั้งสองฝั่ง">
        <QueryView query={emailChange} task="โหลดคำขอเปลี่ยนอีเมล" barsClassName="space-y-3" bars={['h-10']}>
          {(change) => (change === null ? <EmailForm /> : <PendingChange change={change} />)}
        </QueryView>
      </SettingsSection>
      <ShareViewsSection isShared={user.shares_looks === true} />
      <SettingsSection title="ออกจากองค์กร" description="บัญชีจะถูกปิดทันที เฉพาะ Super User ขององค์กรเปิดให้ใหม่ได้">
        <ConfirmedAction
          label="ยืนยันการออกจากองค์กร"
          question={`ออกจาก ${name} และออกจากระบบทุกอุปกรณ์`}
          no="ไม่ออก"
          yes="ออกจากองค์กร"
          run={leaveOrganisation}
          failed="ออกจากองค์กรไม่สำเร็จ"
        >
          {(ask) => <Button onClick={ask}>ออกจากองค์กร…</Button>}
        </ConfirmedAction>
      </SettingsSection>
    </>
  )
}

const nameFormSchema = z.object({ first_name: firstNameSchema, last_name: lastNameSchema })

function NameForm({ user }: { user: Pick<User, 'first_name' | 'last_name'> }) {
  const form = useSchemaForm(
    {
      schema: nameFormSchema,
      mode: 'onTouched',
      defaultValues: { first_name: user.first_name ?? '', last_name: user.last_name ?? '' },
    },
    async (names) => {
      const message = { failed: 'บันทึกชื่อไม่สำเร็จ', done: 'บันทึกชื่อแล้ว' }
      if (await patchUser(names, message)) form.reset(names)
    },
  )
  return (
    <SettingsForm form={form}>
      <NameFields first={form.field('first_name')} last={form.field('last_name')} />
      {form.formState.isDirty && (
        <div className="flex justify-end gap-2">
          <Button onClick={() => form.reset()}>ยกเลิก</Button>
          <Button type="submit" variant="primary" pending={form.isSubmitting}>
            บันทึก
          </Button>
        </div>
      )}
    </SettingsForm>
  )
}

/**
 * Lets users share which projects they viewed; in return they see the views of colleagues who share too. Off by
 * default, because people read less when colleagues can see what they read.
 */
function ShareViewsSection({ isShared }: { isShared: boolean }) {
  const setShared = (on: boolean) =>
    void patchUser(
      { shares_looks: on },
      {
        failed: `${on ? 'เปิด' : 'ปิด'}ไม่สำเร็จ`,
        done: on ? 'เพื่อนร่วมทีมที่เปิดไว้เห็นสิ่งที่คุณดูตั้งแต่ตอนนี้' : 'ไม่มีใครเห็นแล้วว่าคุณดูอะไร',
      },
    )
  return (
    <SettingsSection title="ทีม">
      <Switch label="ให้ทีมเห็นว่าฉันดูโครงการใดแล้ว" checked={isShared} onChange={setShared}>
        เห็นกันเฉพาะคนที่เปิดเหมือนกัน: เขาเห็นชื่อคุณในโครงการที่คุณเปิดดูหลังจากนี้ และคุณเห็นของเขา ปิดเมื่อใด ที่เคยเห็นหายไปทั้งหมด
        เปิดใหม่เริ่มนับใหม่
      </Switch>
    </SettingsSection>
  )
}

function EmailForm() {
  const form = useSchemaForm(
    { schema: emailChangeRequestSchema, fields: ['email'], defaultValues: { email: '' } },
    async (values) => {
      await requestEmailChange(values)
      form.reset()
      showDoneToast('ส่งลิงก์ยืนยันไปทั้งสองอีเมลแล้ว')
    },
  )
  return (
    <SettingsForm form={form}>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="อีเมลใหม่"
          type="email"
          autoComplete="off"
          className="min-w-0 flex-1 basis-64"
          {...form.field('email')}
        />
        <Button type="submit" pending={form.isSubmitting} className="sm:mt-6.5 max-sm:w-full">
          ส่งลิงก์ยืนยัน
        </Button>
      </div>
    </SettingsForm>
  )
}

function PendingChange({ change: { new_email, old_confirmed, new_confirmed, expires_at } }: { change: EmailChange }) {
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
      <ActionButton run={cancelEmailChange} failed="หยุดไม่สำเร็จ" done="หยุดการเปลี่ยนอีเมลแล้ว">
        หยุดการเปลี่ยน
      </ActionButton>
    </div>
  )
}
