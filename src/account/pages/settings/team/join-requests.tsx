import { useState } from 'react'
import type { JoinRequest } from '#contract/account/member.ts'
import { USER_ROLES, type UserRole } from '#contract/account/user.ts'
import { acceptJoinRequest, refuseJoinRequest } from '#src/account/api/members.ts'
import { SettingsSection } from '#src/account/pages/settings/form/settings-section.tsx'
import { thaiDateTimeText } from '#src/lib/thai-day.ts'
import { Button } from '#src/ui/button.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { runWithToast } from './member-row.tsx'

const ROLES = USER_ROLES.map(({ code, label }) => ({ value: code, th: label }))

export function JoinRequests({ requests }: { requests: readonly JoinRequest[] }) {
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
  const [pending, setPending] = useState<'accept' | 'refuse'>()
  const run = async (action: 'accept' | 'refuse') => {
    setPending(action)
    if (action === 'accept')
      await runWithToast(acceptJoinRequest(id, { role }), `ส่งคำเชิญถึง ${email} แล้ว`, 'รับคำขอไม่สำเร็จ')
    else await runWithToast(refuseJoinRequest(id), `ไม่รับคำขอของ ${email} แล้ว`, 'ไม่รับคำขอไม่สำเร็จ')
    setPending(undefined)
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3 sm:px-5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm wrap-anywhere text-ink-muted">
          {email} · ขอเมื่อ {thaiDateTimeText(requested_at)}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Listbox label={`สิทธิ์ของ ${name}`} value={role} options={ROLES} onChange={setRole} className="h-8 touch:h-11" />
        <Button
          size="sm"
          pending={pending === 'accept'}
          aria-label={`รับคำขอของ ${name}`}
          onClick={() => void run('accept')}
        >
          รับเข้าทีม
        </Button>
        <Button
          size="sm"
          variant="quiet"
          pending={pending === 'refuse'}
          aria-label={`ไม่รับคำขอของ ${name}`}
          onClick={() => void run('refuse')}
        >
          ไม่รับ
        </Button>
      </div>
    </li>
  )
}
