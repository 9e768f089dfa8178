import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { LogOut, MonitorSmartphone } from 'lucide-react'
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
import { ActionButton, ConfirmedAction } from '#src/account/form-refusal/action-button.tsx'
import { useSchemaForm } from '#src/account/form-refusal/schema-form.tsx'
import { NewPasswordFields } from '#src/account/new-password/new-password-fields.tsx'
import { RevokePasswordlessAccessCheckbox } from '#src/account/new-password/revoke-other-access-checkbox.tsx'
import { SettingsForm } from '#src/account/pages/settings/form/settings-form.tsx'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { joinParts } from '#src/lib/join-parts.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { ItemRow } from '#src/ui/item-row.tsx'
import { Notice } from '#src/ui/notice.tsx'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { QueryView } from '#src/ui/query-view.tsx'

export function SecurityTab() {
  const secondFactor = useQuery(secondFactorQuery)
  const user = useUser()
  const { name } = useOrganisation()
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
            <SecondFactorPanel factor={factor} />
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

function SessionList() {
  const sessions = useQuery(sessionListQuery)
  return (
    <SettingsSection title="อุปกรณ์ที่เข้าสู่ระบบอยู่" description="ถ้าเห็นอุปกรณ์ที่ไม่รู้จัก ให้ออกจากระบบแล้วเปลี่ยนรหัสผ่าน" flush>
      <QueryView
        query={sessions}
        task="โหลดรายการอุปกรณ์"
        errorClassName="m-4"
        barsClassName="space-y-3 px-4 py-4 sm:px-5"
        bars={['h-10', 'h-10']}
      >
        {(list) => (
          <>
            <ul className="divide-y divide-line">
              {list.map((session) => (
                <SessionRow key={session.id} session={session} />
              ))}
            </ul>
            <ConfirmedAction
              label="ยืนยันการออกจากระบบทุกอุปกรณ์"
              question="อุปกรณ์นี้จะออกจากระบบด้วย และต้องเข้าสู่ระบบใหม่"
              no="ไม่ออก"
              yes="ออกจากระบบทุกอุปกรณ์"
              className="border-t border-urgent-line bg-urgent-soft px-4 py-3 sm:px-5"
              run={endAllSessions}
              failed="ออกจากระบบทุกอุปกรณ์ไม่สำเร็จ"
            >
              {(ask) => (
                <div className="border-t border-line px-4 py-3 sm:px-5">
                  <Button icon={LogOut} onClick={ask}>
                    ออกจากระบบทุกอุปกรณ์
                  </Button>
                </div>
              )}
            </ConfirmedAction>
          </>
        )}
      </QueryView>
    </SettingsSection>
  )
}

function SessionRow({ session }: { session: Sessions['sessions'][number] }) {
  const { id, device, address, last_seen_at, current } = session
  const lastSeen = `ใช้ล่าสุด ${formatThaiDateTime(last_seen_at)}`
  const title = (
    <>
      {device}
      {current && <Badge tone="accent">อุปกรณ์นี้</Badge>}
    </>
  )
  return (
    <li className="px-4 py-3 sm:px-5">
      <ItemRow icon={MonitorSmartphone} title={title} details={joinParts(lastSeen, address)}>
        {!current && (
          <ActionButton
            size="sm"
            of={`${device} ${lastSeen}`}
            run={() => endOtherSession(id)}
            failed={`ออกจากระบบ ${device} ไม่สำเร็จ`}
            done={`${device} ออกจากระบบแล้ว`}
          >
            ออกจากระบบ
          </ActionButton>
        )}
      </ItemRow>
    </li>
  )
}

const EMPTY: PasswordChange = { new_password: '', confirm_password: '', end_secret_addresses: false }

function PasswordForm({ email, personalTexts }: { email: string | null; personalTexts: readonly string[] }) {
  const form = useSchemaForm(
    {
      schema: passwordChangeSchema,
      fields: ['new_password', 'confirm_password'],
      mode: 'onTouched',
      defaultValues: EMPTY,
    },
    async (values) => {
      await changePassword(values)
      form.reset(EMPTY)
      refreshSessionList()
      const endedText = values.end_secret_addresses ? ' และยกเลิกทุกทางเข้าที่ไม่ต้องใช้รหัสผ่านแล้ว' : ''
      showDoneToast(`เปลี่ยนรหัสผ่านแล้ว อุปกรณ์อื่นออกจากระบบแล้ว${endedText}`)
    },
  )
  return (
    <SettingsForm form={form} className="max-w-sm space-y-4">
      {/* Password managers store the new password with this user name. */}
      <input type="text" autoComplete="username" value={email ?? ''} readOnly hidden />
      <NewPasswordFields
        form={form}
        name="new_password"
        rules={NEW_PASSWORD_RULES}
        known={personalTexts}
        label="รหัสผ่านใหม่"
      />
      <RevokePasswordlessAccessCheckbox {...form.choice('end_secret_addresses')} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" pending={form.isSubmitting}>
          เปลี่ยนรหัสผ่าน
        </Button>
        <Link to="/reset-password" className={getButtonClasses('link')}>
          จำรหัสผ่านปัจจุบันไม่ได้
        </Link>
      </div>
    </SettingsForm>
  )
}
