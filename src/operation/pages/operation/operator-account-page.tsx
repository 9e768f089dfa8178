import { useQuery } from '@tanstack/react-query'
import { REMEMBERED_DEVICE_LIFETIME_DAYS } from '#contract/account/second-factor.ts'
import { RememberedDevices } from '#src/account/account-security/remembered-devices.tsx'
import { SecondFactorPanel } from '#src/account/account-security/second-factor-panel.tsx'
import { secondFactorQuery } from '#src/account/api/second-factor.ts'
import { useUser } from '#src/account/api/users.ts'
import { Notice } from '#src/ui/notice.tsx'
import { SectionCard } from '#src/ui/section-card.tsx'
import { OperatorPageFrame } from './operator-page-frame.tsx'

export function OperatorAccountPage() {
  const secondFactor = useQuery(secondFactorQuery)
  const isDue = useUser().second_factor_due === true
  return (
    <OperatorPageFrame title="บัญชีของฉัน" what="การยืนยันสองขั้น" query={secondFactor}>
      {(factor) => (
        <>
          {isDue && (
            <Notice role="status" warns>
              บัญชีผู้ดูแลระบบต้องยืนยันสองขั้น ตั้งค่าอย่างน้อยหนึ่งวิธีด้านล่าง แล้วใช้งานต่อได้ทันที
            </Notice>
          )}
          <SectionCard
            title="การยืนยันสองขั้น"
            scope="บัญชีผู้ดูแลระบบเห็นทุกองค์กร ตั้งไว้อย่างน้อยสองวิธี ถ้าทำหายทั้งหมด ให้ผู้ดูแลเครื่องสั่ง admin remove-second-factor"
          >
            <SecondFactorPanel factor={factor} />
          </SectionCard>
          <SectionCard
            title="อุปกรณ์ที่จำไว้"
            scope={`ไม่ถามการยืนยันขั้นที่สอง ${REMEMBERED_DEVICE_LIFETIME_DAYS} วัน แต่ยังถามรหัสผ่าน`}
          >
            <RememberedDevices />
          </SectionCard>
        </>
      )}
    </OperatorPageFrame>
  )
}
