import { useMutation, useQuery } from '@tanstack/react-query'
import { Laptop } from 'lucide-react'
import { REMEMBERED_DEVICE_LIFETIME_DAYS, type RememberedDeviceList } from '#contract/account/second-factor.ts'
import { forgetRememberedDevice, rememberedDevicesQuery } from '#src/account/api/second-factor.ts'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Button } from '#src/ui/button.tsx'
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
  const { mutate: forget, isPending } = useMutation({
    mutationFn: () => forgetRememberedDevice(id),
    ...toastMutationResult('เลิกจำไม่สำเร็จ', `เลิกจำ ${device} แล้ว`),
  })
  return (
    <li className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
      <Laptop aria-hidden className="size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">{device}</p>
        <p className="text-sm wrap-anywhere text-ink-muted">
          เข้าสู่ระบบล่าสุด {formatThaiDateTime(used_at)}
          {address !== null && ` · ${address}`} · จำไว้ถึง {formatThaiDateTime(trusted_until)}
        </p>
      </div>
      <Button
        size="sm"
        pending={isPending}
        of={`${device} เข้าสู่ระบบล่าสุด ${formatThaiDateTime(used_at)}`}
        onClick={() => forget()}
      >
        เลิกจำ
      </Button>
    </li>
  )
}
