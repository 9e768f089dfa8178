import { useMutation, useQuery } from '@tanstack/react-query'
import { LogOut, MonitorSmartphone } from 'lucide-react'
import { useState } from 'react'
import type { SessionList as Sessions } from '#contract/account/session-list.ts'
import { endAllSessions, endOtherSession, sessionListQuery } from '#src/account/api/session-list.ts'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

type Session = Sessions['sessions'][number]

export function SessionList() {
  const sessions = useQuery(sessionListQuery)
  return (
    <SettingsSection title="อุปกรณ์ที่เข้าสู่ระบบอยู่" description="ถ้าเห็นอุปกรณ์ที่ไม่รู้จัก ให้ออกจากระบบแล้วเปลี่ยนรหัสผ่าน" flush>
      <QueryView
        query={sessions}
        errorTitle="โหลดรายการอุปกรณ์ไม่สำเร็จ"
        errorClassName="m-4"
        skeleton={<SessionSkeleton />}
      >
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
          aria-label={`ออกจากระบบ ${device} ใช้ล่าสุด ${formatThaiDateTime(last_seen_at)}`}
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
