import { ListboxField } from '#src/ui/form/listbox-field.tsx'
import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery } from '@tanstack/react-query'
import { MailPlus } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import {
  type Invitation,
  type InvitationRequest,
  invitationRequestSchema,
  type JoinRequest,
  type Team,
} from '#contract/account/member.ts'
import { getRoleLabel, type UserRole } from '#contract/account/user.ts'
import {
  acceptJoinRequest,
  inviteMember,
  rejectJoinRequest,
  resendInvitation,
  revokeInvitation,
  setSecondFactorRequired,
  teamQuery,
} from '#src/account/api/members.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { LimitUsageBar, SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { Switch } from '#src/ui/form/switch.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { LoginDomainsSection } from './login-domains.tsx'
import { MemberRow } from './member-row.tsx'
import { ROLE_OPTIONS } from './role-options.ts'

export function TeamTab() {
  const team = useQuery(teamQuery)
  return (
    <QueryView query={team} task="โหลดรายชื่อทีมงาน" barsClassName="space-y-3" bars={['h-32', 'h-48']}>
      {(data) => (
        <>
          <SettingsSection
            title="เชิญเพื่อนร่วมงาน"
            description="ส่งลิงก์ทางอีเมล ใช้ได้ครั้งเดียวภายใน 7 วัน Super User จัดการทีมและดูประวัติการใช้งานได้"
          >
            <InviteForm team={data} />
          </SettingsSection>
          {data.requests.length > 0 && <JoinRequestList requests={data.requests} />}
          {data.invitations.length > 0 && (
            <SettingsSection title="คำเชิญที่รอตอบรับ" flush>
              <ul className="divide-y divide-line">
                {data.invitations.map((invitation) => (
                  <InvitationRow key={invitation.id} invitation={invitation} />
                ))}
              </ul>
            </SettingsSection>
          )}
          <SecondFactorRule team={data} />
          <LoginDomainsSection />
          <SettingsSection title="สมาชิก" flush>
            <ul className="divide-y divide-line">
              {data.members.map((member) => (
                <MemberRow key={member.id} member={member} colleagues={data.members} />
              ))}
            </ul>
          </SettingsSection>
        </>
      )}
    </QueryView>
  )
}

function InviteForm({ team }: { team: Team }) {
  const form = useForm<InvitationRequest>({
    resolver: standardSchemaResolver(invitationRequestSchema),
    defaultValues: { email: '', role: 'member_user' },
  })
  const { isDirty } = form.formState
  useUnsavedChanges(isDirty)
  const { submit, refusal, field, isSubmitting } = useFormSubmit(form, ['email'], async (values) => {
    await inviteMember(values)
    form.reset()
    showToast({ text: `ส่งคำเชิญถึง ${values.email} แล้ว`, tone: 'done' })
  })
  const usedSeats =
    team.members.filter(({ is_disabled }) => !is_disabled).length +
    team.invitations.filter(({ is_over }) => !is_over).length
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="space-y-4">
      <FormSubmitError refusal={refusal} />
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="อีเมล"
          type="email"
          autoComplete="off"
          placeholder="name@company.co.th"
          className="min-w-0 flex-1 basis-64"
          {...field('email')}
        />
        <ListboxField
          label="สิทธิ์"
          value={form.watch('role')}
          options={ROLE_OPTIONS}
          onChange={(role) => form.setValue('role', role, { shouldDirty: true })}
        />
        <Button
          type="submit"
          variant="primary"
          icon={MailPlus}
          pending={isSubmitting}
          className="sm:mt-6.5 max-sm:w-full"
        >
          ส่งคำเชิญ
        </Button>
      </div>
      <LimitUsageBar
        label="สมาชิกและคำเชิญที่รอตอบรับ"
        used={usedSeats}
        limit={team.most}
        text={`${usedSeats} จาก ${team.most} คน`}
      />
    </form>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, role, invited_by, expires_at, is_over } = invitation
  const resend = useMutation({
    mutationFn: () => resendInvitation(id),
    ...toastMutationResult('ส่งคำเชิญไม่สำเร็จ', `ส่งคำเชิญถึง ${email} อีกครั้งแล้ว`),
  })
  const revoke = useMutation({
    mutationFn: () => revokeInvitation(id),
    ...toastMutationResult('ยกเลิกคำเชิญไม่สำเร็จ', `ยกเลิกคำเชิญของ ${email} แล้ว`),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="wrap-anywhere">{email}</span>
          <Badge>{getRoleLabel(role)}</Badge>
          {is_over && <Badge tone="updated">หมดอายุแล้ว</Badge>}
        </p>
        <p className="text-sm text-ink-muted">
          {invited_by !== null && `เชิญโดย ${invited_by} · `}
          {is_over ? 'หมดอายุ' : 'ใช้ได้ถึง'} {formatThaiDateTime(expires_at)}
        </p>
      </div>
      <div className="flex gap-2">
        <Button
          size="sm"
          pending={resend.isPending}
          aria-label={`ส่งคำเชิญถึง ${email} อีกครั้ง`}
          onClick={() => resend.mutate()}
        >
          ส่งอีกครั้ง
        </Button>
        <Button
          size="sm"
          variant="quiet"
          pending={revoke.isPending}
          aria-label={`ยกเลิกคำเชิญของ ${email}`}
          onClick={() => revoke.mutate()}
        >
          ยกเลิก
        </Button>
      </div>
    </li>
  )
}

function SecondFactorRule({ team: { members, requires_second_factor: isOn = false } }: { team: Team }) {
  const { mutate, isPending } = useMutation({
    mutationFn: setSecondFactorRequired,
    ...toastMutationResult('แก้ไม่สำเร็จ', (isRequired: boolean) =>
      isRequired ? 'ทุกคนต้องยืนยันสองขั้นตั้งแต่เข้าสู่ระบบครั้งต่อไป' : 'ไม่บังคับยืนยันสองขั้นแล้ว',
    ),
  })
  const openMembers = members.filter(({ is_disabled }) => !is_disabled)
  const without = openMembers.filter(({ has_second_factor }) => has_second_factor === false)
  return (
    <SettingsSection title="การยืนยันสองขั้นของทีม">
      <Switch
        label="ทุกคนต้องยืนยันสองขั้น"
        checked={isOn}
        disabled={isPending}
        onChange={(isRequired) => mutate(isRequired)}
      >
        คนที่ยังไม่ได้ตั้งจะถูกพาไปตั้งเมื่อเข้าสู่ระบบครั้งต่อไป ไม่มีใครถูกล็อกออก{' '}
        {without.length === 0 ? 'ตอนนี้ทุกคนตั้งแล้ว' : `ตอนนี้ยังไม่ได้ตั้ง ${without.length} จาก ${openMembers.length} คน`}
      </Switch>
    </SettingsSection>
  )
}

function JoinRequestList({ requests }: { requests: readonly JoinRequest[] }) {
  return (
    <SettingsSection
      title="คำขอเข้าร่วมทีม"
      description="คนเหล่านี้สมัครด้วยชื่อองค์กรของคุณ ชื่อและอีเมลเป็นไปตามที่กรอก รับเฉพาะคนที่รู้จัก แล้วระบบจะส่งคำเชิญไปที่อีเมลนั้น"
      flush
    >
      <ul className="divide-y divide-line">
        {requests.map((request) => (
          <JoinRequestRow key={request.id} request={request} />
        ))}
      </ul>
    </SettingsSection>
  )
}

function JoinRequestRow({ request: { id, name, email, requested_at } }: { request: JoinRequest }) {
  const [role, setRole] = useState<UserRole>('member_user')
  const accept = useMutation({
    mutationFn: () => acceptJoinRequest(id, { role }),
    ...toastMutationResult('รับคำขอไม่สำเร็จ', `ส่งคำเชิญถึง ${email} แล้ว`),
  })
  const refuse = useMutation({
    mutationFn: () => rejectJoinRequest(id),
    ...toastMutationResult('ไม่รับคำขอไม่สำเร็จ', `ไม่รับคำขอของ ${email} แล้ว`),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm wrap-anywhere text-ink-muted">
          {email} · ขอเมื่อ {formatThaiDateTime(requested_at)}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Listbox
          label={`สิทธิ์ของ ${name}`}
          value={role}
          options={ROLE_OPTIONS}
          onChange={setRole}
          className="h-8 touch:h-11"
        />
        <Button size="sm" pending={accept.isPending} aria-label={`รับคำขอของ ${name}`} onClick={() => accept.mutate()}>
          รับเข้าทีม
        </Button>
        <Button
          size="sm"
          variant="quiet"
          pending={refuse.isPending}
          aria-label={`ไม่รับคำขอของ ${name}`}
          onClick={() => refuse.mutate()}
        >
          ไม่รับ
        </Button>
      </div>
    </li>
  )
}
