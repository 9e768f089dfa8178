import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { JoinRequest } from '#contract/account/member.ts'
import type { UserRole } from '#contract/account/user.ts'
import { acceptJoinRequest, rejectJoinRequest } from '#src/account/api/members.ts'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Button } from '#src/ui/button.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { ROLE_OPTIONS } from './role-options.ts'

export function JoinRequestList({ requests }: { requests: readonly JoinRequest[] }) {
  return (
    <SettingsSection
      title="คำขอเข้าร่วมทีม"
      description="คนเหล่านี้สมัครด้วยชื่อองค์กรของคุณ ชื่อและอีเมลเป็นไปตามที่กรอก รับเฉพาะคนที่รู้จัก แล้วระบบจะส่งคำเชิญไปที่อีเมลนั้น"
      flush
    >
      <ul className="divide-y divide-line">
        {requests.map((request) => (
          <JoinRequestRow key={request.id} request={request} />
        ))}
      </ul>
    </SettingsSection>
  )
}

function JoinRequestRow({ request: { id, name, email, requested_at } }: { request: JoinRequest }) {
  const [role, setRole] = useState<UserRole>('member_user')
  const accept = useMutation({
    mutationFn: () => acceptJoinRequest(id, { role }),
    ...toastMutationResult('รับคำขอไม่สำเร็จ', `ส่งคำเชิญถึง ${email} แล้ว`),
  })
  const refuse = useMutation({
    mutationFn: () => rejectJoinRequest(id),
    ...toastMutationResult('ไม่รับคำขอไม่สำเร็จ', `ไม่รับคำขอของ ${email} แล้ว`),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm wrap-anywhere text-ink-muted">
          {email} · ขอเมื่อ {formatThaiDateTime(requested_at)}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Listbox
          label={`สิทธิ์ของ ${name}`}
          value={role}
          options={ROLE_OPTIONS}
          onChange={setRole}
          className="h-8 touch:h-11"
        />
        <Button size="sm" pending={accept.isPending} aria-label={`รับคำขอของ ${name}`} onClick={() => accept.mutate()}>
          รับเข้าทีม
        </Button>
        <Button
          size="sm"
          variant="quiet"
          pending={refuse.isPending}
          aria-label={`ไม่รับคำขอของ ${name}`}
          onClick={() => refuse.mutate()}
        >
          ไม่รับ
        </Button>
      </div>
    </li>
  )
}
