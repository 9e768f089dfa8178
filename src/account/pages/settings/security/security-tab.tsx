import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogOut, MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { NEW_PASSWORD_RULES } from '#contract/account/new-password.ts'
import { type PasswordChange, passwordChangeSchema } from '#contract/account/password-form.ts'
import { REMEMBERED_DEVICE_LIFETIME_DAYS } from '#contract/account/second-factor.ts'
import type { SessionList as Sessions } from '#contract/account/session-list.ts'
import { RememberedDevices } from '#src/account/account-security/remembered-devices.tsx'
import { SecondFactorPanel } from '#src/account/account-security/second-factor-panel.tsx'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { changePassword } from '#src/account/api/passwords.ts'
import { secondFactorQuery } from '#src/account/api/second-factor.ts'
import { endAllSessions, endOtherSession, refreshSessionList, sessionListQuery } from '#src/account/api/session-list.ts'
import { useUser } from '#src/account/api/users.ts'
import { FormSubmitError, useFormSubmit } from '#src/account/form-refusal/form-submit-error.tsx'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { NewPasswordFields, revalidatePasswordConfirmation } from '#src/account/new-password/new-password-fields.tsx'
import { RevokePasswordlessAccessCheckbox } from '#src/account/new-password/revoke-other-access-checkbox.tsx'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { useUnsavedChanges } from '#src/account/pages/settings/form/unsaved-changes.tsx'
import { userKeys } from '#src/api/http/keys.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

export function SecurityTab() {
  const secondFactor = useQuery(secondFactorQuery)
  const user = useUser()
  const { name } = useOrganisation()
  const client = useQueryClient()
  const personalTexts = [user.email, user.first_name, user.last_name, name].filter((text) => text !== null)
  const isDue = user.second_factor_due === true
  return (
    <>
      {isDue && (
        <div role="status">
          <Notice warns>องค์กรของคุณกำหนดให้ยืนยันสองขั้น ตั้งค่าอย่างน้อยหนึ่งวิธีด้านล่าง แล้วใช้งานต่อได้ทันที</Notice>
        </div>
      )}
      <QueryView query={secondFactor} task="โหลดการยืนยันสองขั้น" barsClassName="space-y-3" bars={['h-72']}>
        {(factor) => (
          <SettingsSection
            title="การยืนยันสองขั้น"
            description={
              factor.is_required
                ? 'องค์กรของคุณกำหนดให้ทุกคนใช้ มีหลายวิธีได้ เผื่อเครื่องหนึ่งหาย'
                : 'รหัสผ่านที่หลุดเปิดบัญชีไม่ได้ ถ้าต้องยืนยันอีกขั้นด้วยของที่อยู่กับคุณ'
            }
          >
            <SecondFactorPanel
              factor={factor}
              {...(isDue && { onFirst: () => void client.invalidateQueries({ queryKey: userKeys.me }) })}
            />
          </SettingsSection>
        )}
      </QueryView>
      <SettingsSection title="เปลี่ยนรหัสผ่าน" description="เมื่อเปลี่ยนแล้ว อุปกรณ์อื่นทั้งหมดจะออกจากระบบ">
        <PasswordForm email={user.email} personalTexts={personalTexts} />
      </SettingsSection>
      <SettingsSection
        title="อุปกรณ์ที่จำไว้"
        description={`ไม่ถามการยืนยันขั้นที่สอง ${REMEMBERED_DEVICE_LIFETIME_DAYS} วัน แต่ยังถามรหัสผ่าน`}
      >
        <RememberedDevices />
      </SettingsSection>
      <SessionList />
    </>
  )
}

type Session = Sessions['sessions'][number]

function SessionList() {
  const sessions = useQuery(sessionListQuery)
  return (
    <SettingsSection title="อุปกรณ์ที่เข้าสู่ระบบอยู่" description="ถ้าเห็นอุปกรณ์ที่ไม่รู้จัก ให้ออกจากระบบแล้วเปลี่ยนรหัสผ่าน" flush>
      <QueryView query={sessions} task="โหลดรายการอุปกรณ์" errorClassName="m-4" skeleton={<SessionSkeleton />}>
        {(list) => (
          <>
            <ul className="divide-y divide-line">
              {list.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            <EndAllSessions />
          </>
        )}
      </QueryView>
    </SettingsSection>
  )
}

function SessionRow({ session }: { session: Session }) {
  const { id, device, address, last_seen_at, current } = session
  const { mutate: end, isPending } = useMutation({
    mutationFn: () => endOtherSession(id),
    ...toastMutationResult(`ออกจากระบบ ${device} ไม่สำเร็จ`, `${device} ออกจากระบบแล้ว`),
  })
  return (
    <li className="flex items-center gap-3 px-4 py-3 sm:px-5">
      <MonitorSmartphone aria-hidden className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          {device}
          {current && <Badge tone="accent">อุปกรณ์นี้</Badge>}
        </p>
        <p className="text-sm text-ink-muted">
          ใช้ล่าสุด {formatThaiDateTime(last_seen_at)}
          {address !== null && <span className="wrap-anywhere"> · {address}</span>}
        </p>
      </div>
      {!current && (
        <Button
          size="sm"
          pending={isPending}
          of={`${device} ใช้ล่าสุด ${formatThaiDateTime(last_seen_at)}`}
          onClick={() => end()}
        >
          ออกจากระบบ
        </Button>
      )}
    </li>
  )
}

function EndAllSessions() {
  const [isConfirming, setConfirming] = useState(false)
  const { mutate: end, isPending } = useMutation({
    mutationFn: endAllSessions,
    ...toastMutationResult('ออกจากระบบทุกอุปกรณ์ไม่สำเร็จ'),
  })
  if (!isConfirming) {
    return (
      <div className="border-t border-line px-4 py-3 sm:px-5">
        <Button icon={LogOut} onClick={() => setConfirming(true)}>
          ออกจากระบบทุกอุปกรณ์
        </Button>
      </div>
    )
  }
  return (
    <InlineConfirmation
      label="ยืนยันการออกจากระบบทุกอุปกรณ์"
      no="ไม่ออก"
      yes="ออกจากระบบทุกอุปกรณ์"
      onNo={() => setConfirming(false)}
      onYes={end}
      pending={isPending}
      className="border-t border-urgent-line bg-urgent-soft px-4 py-3 sm:px-5"
    >
      อุปกรณ์นี้จะออกจากระบบด้วย และต้องเข้าสู่ระบบใหม่
    </InlineConfirmation>
  )
}

function SessionSkeleton() {
  return <SkeletonGroup className="space-y-3 px-4 py-4 sm:px-5" bars={['h-10', 'h-10']} />
}

const EMPTY: PasswordChange = { new_password: '', confirm_password: '', end_secret_addresses: false }

function PasswordForm({ email, personalTexts }: { email: string | null; personalTexts: readonly string[] }) {
  const form = useForm<PasswordChange>({
    resolver: standardSchemaResolver(passwordChangeSchema),
    mode: 'onTouched',
    defaultValues: EMPTY,
  })
  const { isDirty } = form.formState
  useUnsavedChanges(isDirty)
  const checkAgain = () => revalidatePasswordConfirmation(form)
  const { submit, refusal, field, isSubmitting } = useFormSubmit(
    form,
    ['new_password', 'confirm_password'],
    async (values) => {
      await changePassword(values)
      form.reset(EMPTY)
      refreshSessionList()
      const endedText = values.end_secret_addresses ? ' และยกเลิกทุกทางเข้าที่ไม่ต้องใช้รหัสผ่านแล้ว' : ''
      showToast({ text: `เปลี่ยนรหัสผ่านแล้ว อุปกรณ์อื่นออกจากระบบแล้ว${endedText}`, tone: 'done' })
    },
  )
  return (
    <form noValidate onSubmit={submit} aria-busy={isSubmitting} className="max-w-sm space-y-4">
      <FormSubmitError refusal={refusal} />
      {/* Password managers store the new password with this user name. */}
      <input type="text" autoComplete="username" value={email ?? ''} readOnly hidden />
      <NewPasswordFields
        rules={NEW_PASSWORD_RULES}
        value={form.watch('new_password')}
        known={personalTexts}
        label="รหัสผ่านใหม่"
        password={field('new_password', { onChange: checkAgain })}
        confirmation={field('confirm_password')}
      />
      <RevokePasswordlessAccessCheckbox
        checked={form.watch('end_secret_addresses')}
        onChange={(checked) => form.setValue('end_secret_addresses', checked)}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" pending={isSubmitting}>
          เปลี่ยนรหัสผ่าน
        </Button>
        <Link to="/reset-password" className={getButtonClasses('link')}>
          จำรหัสผ่านปัจจุบันไม่ได้
        </Link>
      </div>
    </form>
  )
}
