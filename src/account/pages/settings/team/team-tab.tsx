import { useMutation, useQuery } from '@tanstack/react-query'
import { MailPlus } from 'lucide-react'
import { useState } from 'react'
import { type Invitation, invitationRequestSchema, type JoinRequest, type Team } from '#contract/account/member.ts'
import { getRoleLabel, USER_ROLES, type UserRole } from '#contract/account/user.ts'
import {
  acceptJoinRequest,
  inviteMember,
  rejectJoinRequest,
  resendInvitation,
  revokeInvitation,
  setSecondFactorRequired,
  teamQuery,
} from '#src/account/api/members.ts'
import { ActionButton } from '#src/account/form-refusal/action-button.tsx'
import { useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { SettingsForm } from '#src/account/pages/settings/form/settings-form.tsx'
import { LimitUsageBar, SettingsList, SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { joinParts } from '#src/lib/join-parts.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { ListboxField } from '#src/ui/form/listbox-field.tsx'
import { Switch } from '#src/ui/form/switch.tsx'
import { TextField } from '#src/ui/form/text-field.tsx'
import { ItemRow } from '#src/ui/item-row.tsx'
import { showDoneToast, toastMutationResult } from '#src/ui/overlay/outcome-toasts.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { LoginDomainsSection } from './login-domains.tsx'
import { MemberRow } from './member-row.tsx'

const ROLE_OPTIONS = USER_ROLES.map(({ code, label }) => ({ value: code, th: label }))

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
          {data.requests.length > 0 && (
            <SettingsList
              title="คำขอเข้าร่วมทีม"
              description="คนเหล่านี้สมัครด้วยชื่อองค์กรของคุณ ชื่อและอีเมลเป็นไปตามที่กรอก รับเฉพาะคนที่รู้จัก แล้วระบบจะส่งคำเชิญไปที่อีเมลนั้น"
              rows={data.requests}
              getKey={({ id }) => id}
            >
              {(request) => <JoinRequestRow request={request} />}
            </SettingsList>
          )}
          {data.invitations.length > 0 && (
            <SettingsList title="คำเชิญที่รอตอบรับ" rows={data.invitations} getKey={({ id }) => id}>
              {(invitation) => <InvitationRow invitation={invitation} />}
            </SettingsList>
          )}
          <SecondFactorRule team={data} />
          <LoginDomainsSection />
          <SettingsList title="สมาชิก" rows={data.members} getKey={({ id }) => id}>
            {(member) => <MemberRow member={member} colleagues={data.members} />}
          </SettingsList>
        </>
      )}
    </QueryView>
  )
}

function InviteForm({ team }: { team: Team }) {
  const form = useSchemaForm(
    { schema: invitationRequestSchema, fields: ['email'], defaultValues: { email: '', role: 'member_user' } },
    async (values) => {
      await inviteMember(values)
      form.reset()
      showDoneToast(`ส่งคำเชิญถึง ${values.email} แล้ว`)
    },
  )
  const usedSeats =
    team.members.filter(({ is_disabled }) => !is_disabled).length +
    team.invitations.filter(({ is_over }) => !is_over).length
  return (
    <SettingsForm form={form}>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="อีเมล"
          type="email"
          autoComplete="off"
          placeholder="name@company.co.th"
          className="min-w-0 flex-1 basis-64"
          {...form.field('email')}
        />
        <ListboxField label="สิทธิ์" options={ROLE_OPTIONS} {...form.choice('role')} />
        <Button
          type="submit"
          variant="primary"
          icon={MailPlus}
          pending={form.isSubmitting}
          className="sm:mt-6.5 max-sm:w-full"
        >
          ส่งคำเชิญ
        </Button>
      </div>
      <LimitUsageBar label="สมาชิกและคำเชิญที่รอตอบรับ" used={usedSeats} limit={team.most} unit="คน" />
    </SettingsForm>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { id, email, role, invited_by, expires_at, is_over } = invitation
  const title = (
    <>
      {email}
      <Badge>{getRoleLabel(role)}</Badge>
      {is_over && <Badge tone="updated">หมดอายุแล้ว</Badge>}
    </>
  )
  const details = joinParts(
    invited_by !== null && `เชิญโดย ${invited_by}`,
    `${is_over ? 'หมดอายุ' : 'ใช้ได้ถึง'} ${formatThaiDateTime(expires_at)}`,
  )
  return (
    <ItemRow title={title} details={details}>
      <ActionButton
        size="sm"
        aria-label={`ส่งคำเชิญถึง ${email} อีกครั้ง`}
        run={() => resendInvitation(id)}
        failed="ส่งคำเชิญไม่สำเร็จ"
        done={`ส่งคำเชิญถึง ${email} อีกครั้งแล้ว`}
      >
        ส่งอีกครั้ง
      </ActionButton>
      <ActionButton
        size="sm"
        variant="quiet"
        aria-label={`ยกเลิกคำเชิญของ ${email}`}
        run={() => revokeInvitation(id)}
        failed="ยกเลิกคำเชิญไม่สำเร็จ"
        done={`ยกเลิกคำเชิญของ ${email} แล้ว`}
      >
        ยกเลิก
      </ActionButton>
    </ItemRow>
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

function JoinRequestRow({ request: { id, name, email, requested_at } }: { request: JoinRequest }) {
  const [role, setRole] = useState<UserRole>('member_user')
  return (
    <ItemRow title={name} details={`${email} · ขอเมื่อ ${formatThaiDateTime(requested_at)}`}>
      <Listbox
        label={`สิทธิ์ของ ${name}`}
        value={role}
        options={ROLE_OPTIONS}
        onChange={setRole}
        className="h-8 touch:h-11"
      />
      <ActionButton
        size="sm"
        aria-label={`รับคำขอของ ${name}`}
        run={() => acceptJoinRequest(id, { role })}
        failed="รับคำขอไม่สำเร็จ"
        done={`ส่งคำเชิญถึง ${email} แล้ว`}
      >
        รับเข้าทีม
      </ActionButton>
      <ActionButton
        size="sm"
        variant="quiet"
        aria-label={`ไม่รับคำขอของ ${name}`}
        run={() => rejectJoinRequest(id)}
        failed="ไม่รับคำขอไม่สำเร็จ"
        done={`ไม่รับคำขอของ ${email} แล้ว`}
      >
        ไม่รับ
      </ActionButton>
    </ItemRow>
  )
}
