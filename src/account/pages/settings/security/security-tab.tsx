import { useQuery, useQueryClient } from '@tanstack/react-query'
import { REMEMBERED_DEVICE_LIFETIME_DAYS } from '#contract/account/second-factor.ts'
import { RememberedDevices } from '#src/account/account-security/remembered-devices.tsx'
import { SecondFactorPanel } from '#src/account/account-security/second-factor-panel.tsx'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { secondFactorQuery } from '#src/account/api/second-factor.ts'
import { useUser } from '#src/account/api/users.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { userKeys } from '#src/api/http/keys.ts'
import { Notice } from '#src/ui/notice.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { PasswordForm } from './password-form.tsx'
import { SessionList } from './session-list.tsx'

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
      <QueryView
        query={secondFactor}
        errorTitle="โหลดการยืนยันสองขั้นไม่สำเร็จ"
        skeleton={<SkeletonGroup className="space-y-3" bars={['h-72']} />}
      >
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
