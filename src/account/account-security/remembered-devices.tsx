import { useQuery } from '@tanstack/react-query'
import { Laptop } from 'lucide-react'
import { REMEMBERED_DEVICE_LIFETIME_DAYS, type RememberedDeviceList } from '#contract/account/second-factor.ts'
import { forgetRememberedDevice, rememberedDevicesQuery } from '#src/account/api/second-factor.ts'
import { ActionButton } from '#src/account/form-refusal/action-button.tsx'
import { joinParts } from '#src/lib/join-parts.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { ItemRow } from '#src/ui/item-row.tsx'
import { QueryView } from '#src/ui/query-view.tsx'

export function RememberedDevices() {
  const devices = useQuery(rememberedDevicesQuery)
  return (
    <QueryView
      query={devices}
      task="โหลดอุปกรณ์ที่จำไว้"
      bars={['h-10']}
      isEmpty={(list) => list.length === 0}
      empty={
        <p className="text-ink-muted">
          ยังไม่มีอุปกรณ์ที่จำไว้ เลือก “ไม่ถามในอุปกรณ์นี้ {REMEMBERED_DEVICE_LIFETIME_DAYS} วัน” ตอนเข้าสู่ระบบได้
        </p>
      }
    >
      {(list) => (
        <ul className="divide-y divide-line">
          {list.map((device) => (
            <DeviceRow key={device.id} {...device} />
          ))}
        </ul>
      )}
    </QueryView>
  )
}

function DeviceRow({ id, device, address, used_at, trusted_until }: RememberedDeviceList['devices'][number]) {
  const lastLogin = `เข้าสู่ระบบล่าสุด ${formatThaiDateTime(used_at)}`
  const details = joinParts(lastLogin, address, `จำไว้ถึง ${formatThaiDateTime(trusted_until)}`)
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <ItemRow icon={Laptop} title={device} details={details}>
        <ActionButton
          size="sm"
          of={`${device} ${lastLogin}`}
          run={() => forgetRememberedDevice(id)}
          failed="เลิกจำไม่สำเร็จ"
          done={`เลิกจำ ${device} แล้ว`}
        >
          เลิกจำ
        </ActionButton>
      </ItemRow>
    </li>
  )
}
