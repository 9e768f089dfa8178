import { Link } from '@tanstack/react-router'
import { useOrganisation } from '#src/api/organisations.ts'
import { patchUser } from '#src/api/user-patches.ts'
import { useUser } from '#src/api/users.ts'
import { classNames } from '#src/lib/class-names.ts'
import { countText } from '#src/lib/money-text.ts'
import { Switch } from '#src/ui/switch.tsx'
import { SettingsSection } from './settings-section.tsx'

/** The mail and the warnings of the bell, each with what it means. */
export function NotificationsTab() {
  const user = useUser()
  const { customer_config: config, is_access_budget_year_only: isBudgetOnly } = useOrganisation()
  const filters = user.project_save_filter_profile
  const mailed = filters.filter(({ isSend }) => isSend).length
  return (
    <>
      <SettingsSection title="อีเมล">
        <Switch
          label="รับอีเมลรายงาน"
          checked={user.is_send_report_email}
          onChange={(on) =>
            void patchUser({ is_send_report_email: on }, { failed: `${on ? 'เปิด' : 'ปิด'}อีเมลรายงานไม่สำเร็จ` })
          }
        >
          สรุปโครงการใหม่ โครงการที่ข้อมูลเปลี่ยน และโครงการใกล้ปิดรับ ส่งหลังนำเข้าข้อมูลรอบกลางคืน ไม่ส่งก่อน{' '}
          {config.not_allow_end_time.slice(0, 5)} น. วันไหนไม่มีอะไรใหม่จะไม่ส่ง
        </Switch>
        {!isBudgetOnly && (
          <p className="mt-2 text-sm text-ink-muted">
            {filters.length === 0
              ? 'ยังไม่มีตัวกรองที่บันทึก '
              : `ตัวกรองที่แยกส่งทางอีเมล ${countText(mailed)} จาก ${countText(filters.length)} `}
            {filters.length > 0 && (
              <Link
                to="/settings"
                search={{ tab: 'saved-filters' }}
                className="inline-flex items-center text-accent-ink underline touch:min-h-11"
              >
                เลือกตัวกรอง
              </Link>
            )}
            {mailed > 0 && !user.is_send_report_email && (
              <span className="block text-updated">ปิดอีเมลรายงานไว้ ตัวกรองเหล่านี้จึงยังไม่ส่ง</span>
            )}
          </p>
        )}
      </SettingsSection>
      <SettingsSection title="การแจ้งเตือนในระบบ" description="แสดงที่กระดิ่งมุมขวาบน">
        <Switch
          label="เตือนโครงการ e-bidding ทุกโครงการในรายงาน"
          checked={user.is_noti_e_bidding}
          onChange={(on) =>
            void patchUser({ is_noti_e_bidding: on }, { failed: `${on ? 'เปิด' : 'ปิด'}การเตือน e-bidding ไม่สำเร็จ` })
          }
        >
          เตือนก่อน 7 วันที่จะสิ้นสุดวิจารณ์ร่างหรือสิ้นสุดยื่นข้อเสนอ ถ้าปิดไว้จะเตือนเฉพาะโครงการที่ติดดาว
        </Switch>
        <WarningTable isOn={user.is_noti_e_bidding} />
        <p className="mt-3 rounded-control bg-surface-muted px-3 py-2 text-sm text-ink-muted">
          <span className="font-medium text-ink">ตัวอย่าง</span> โครงการ e-bidding ที่ยังไม่ติดดาว ปิดรับข้อเสนอ 28 พ.ย. 2569{' '}
          {user.is_noti_e_bidding
            ? 'ตอนนี้คุณจะได้รับการเตือนวันที่ 21 พ.ย. 2569'
            : 'ตอนนี้คุณจะไม่ได้รับการเตือน จนกว่าจะติดดาวหรือเปิดสวิตช์นี้'}
        </p>
      </SettingsSection>
    </>
  )
}

const ROWS = [
  { what: 'โครงการที่ติดดาว', off: true, on: true },
  { what: 'โครงการ e-bidding อื่นในรายงาน', off: false, on: true },
  { what: 'โครงการวิธีอื่นที่ไม่ติดดาว', off: false, on: false },
] as const

/** Which projects are warned about with the switch off and on (D16); updates do not depend on it. */
function WarningTable({ isOn }: { isOn: boolean }) {
  const cell = (isPresent: boolean) =>
    classNames('px-2 py-1.5 text-center', isPresent ? 'bg-accent-soft text-accent-ink' : 'text-ink-muted')
  return (
    <>
      <table className="mt-3 w-full max-w-xl text-sm">
        <caption className="sr-only">โครงการที่เตือนล่วงหน้า 7 วัน</caption>
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="py-1.5 pr-2 text-left font-medium">
              เตือนล่วงหน้า 7 วัน
            </th>
            <th scope="col" className={classNames('w-20 font-medium', cell(!isOn))}>
              ปิด{!isOn && <span className="sr-only"> (ใช้อยู่)</span>}
            </th>
            <th scope="col" className={classNames('w-20 font-medium', cell(isOn))}>
              เปิด{isOn && <span className="sr-only"> (ใช้อยู่)</span>}
            </th>
          </tr>
        </thead>
        <tbody>
          {ROWS.map(({ what, off, on }) => (
            <tr key={what} className="border-b border-line">
              <th scope="row" className="py-1.5 pr-2 text-left font-normal">
                {what}
              </th>
              <td className={cell(!isOn)}>{off ? 'เตือน' : 'ไม่เตือน'}</td>
              <td className={cell(isOn)}>{on ? 'เตือน' : 'ไม่เตือน'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-2 text-sm text-ink-muted">เมื่อข้อมูลโครงการเปลี่ยน จะแจ้งเฉพาะโครงการที่ติดดาวหรือติดป้ายกำกับ ไม่ขึ้นกับสวิตช์นี้</p>
    </>
  )
}
