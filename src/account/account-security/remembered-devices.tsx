import { useQuery } from '@tanstack/react-query'
import { Laptop } from 'lucide-react'
import { REMEMBERED_BROWSER_DAYS } from '#contract/account/second-factor.ts'
import { forgetRememberedDevice, rememberedDevicesQuery } from '#src/account/api/second-factor.ts'
import { errorMessage, errorText } from '#src/api/http/problem-error.ts'
import { thaiDateTimeText } from '#src/lib/thai-day.ts'
import { Button } from '#src/ui/button.tsx'
import { ErrorNotice } from '#src/ui/error-notice.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { Skeleton, SkeletonGroup } from '#src/ui/skeleton.tsx'

export function RememberedDevices() {
  const { data, error, isFetching, refetch } = useQuery(rememberedDevicesQuery)
  if (data === undefined)
    return error === null ? (
      <SkeletonGroup>
        <Skeleton className="h-10" />
      </SkeletonGroup>
    ) : (
      <ErrorNotice
        title="โหลดอุปกรณ์ที่จำไว้ไม่สำเร็จ"
        reason={errorText(error)}
        onRetry={() => void refetch()}
        retrying={isFetching}
      />
    )
  if (data.length === 0)
    return (
      <p className="text-ink-muted">ยังไม่มีอุปกรณ์ที่จำไว้ เลือก “ไม่ถามในอุปกรณ์นี้ {REMEMBERED_BROWSER_DAYS} วัน” ตอนเข้าสู่ระบบได้</p>
    )
  const forget = async (id: number, device: string) => {
    try {
      await forgetRememberedDevice(id)
      showToast({ text: `เลิกจำ ${device} แล้ว`, tone: 'done' })
    } catch (failure) {
      showToast({ text: `เลิกจำไม่สำเร็จ ${errorMessage(failure)}`, tone: 'error' })
    }
  }
  return (
    <ul className="divide-y divide-line">
      {data.map(({ id, device, address, used_at, trusted_until }) => (
        <li key={id} className="flex items-center gap-3 py-3 first:pt-0 last:pb-0">
          <Laptop aria-hidden className="size-5 shrink-0 text-ink-faint" />
          <div className="min-w-0 flex-1">
            <p className="font-medium">{device}</p>
            <p className="text-sm wrap-anywhere text-ink-muted">
              เข้าสู่ระบบล่าสุด {thaiDateTimeText(used_at)}
              {address !== null && ` · ${address}`} · จำไว้ถึง {thaiDateTimeText(trusted_until)}
            </p>
          </div>
          <Button
            size="sm"
            aria-label={`เลิกจำ ${device} เข้าสู่ระบบล่าสุด ${thaiDateTimeText(used_at)}`}
            onClick={() => void forget(id, device)}
          >
            เลิกจำ
          </Button>
        </li>
      ))}
    </ul>
  )
}
