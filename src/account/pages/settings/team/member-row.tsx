import { useMutation } from '@tanstack/react-query'
import { EllipsisVertical } from 'lucide-react'
import { useState } from 'react'
import type { Member } from '#contract/account/member.ts'
import { getRoleLabel, USER_ROLES, type UserRole } from '#contract/account/user.ts'
import { updateTeamMember } from '#src/account/api/members.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Avatar } from '#src/shell/session/avatar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { InlineConfirmation } from '#src/ui/inline-confirmation.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import { toastMutationResult } from '#src/ui/overlay/outcome-toasts.ts'

const NO_SUCCESSOR = 0

export function MemberRow({ member, colleagues }: { member: Member; colleagues: readonly Member[] }) {
  const { id, name, email, role, last_seen_at, is_disabled, is_me, has_second_factor } = member
  const [isConfirming, setConfirming] = useState(false)
  const [heir, setHeir] = useState(NO_SUCCESSOR)
  const displayName = name ?? email
  const heirs = colleagues
    .filter((colleague) => colleague.id !== id && !colleague.is_disabled)
    .map((colleague) => ({ value: colleague.id, th: colleague.name ?? colleague.email }))
  const otherRole = USER_ROLES.find(({ code }) => code !== role)!
  const { mutate: setRole } = useMutation({
    mutationFn: (role: UserRole) => updateTeamMember(id, { role }),
    ...toastMutationResult('แก้สิทธิ์ไม่สำเร็จ', (role: UserRole) => `${displayName} เป็น ${getRoleLabel(role)} แล้ว`),
  })
  const { mutate: reopenAccount } = useMutation({
    mutationFn: () => updateTeamMember(id, { is_disabled: false }),
    ...toastMutationResult('เปิดบัญชีไม่สำเร็จ', `เปิดบัญชีของ ${displayName} แล้ว`),
  })
  const { mutate: closeAccount, isPending } = useMutation({
    mutationFn: () => updateTeamMember(id, { is_disabled: true, hand_over_to: heir === NO_SUCCESSOR ? null : heir }),
    ...toastMutationResult('ปิดบัญชีไม่สำเร็จ', `ปิดบัญชีของ ${displayName} แล้ว`),
    onSettled: () => setConfirming(false),
  })
  return (
    <>
      <div className="flex items-center gap-3">
        <Avatar user={{ first_name: name, last_name: null, email }} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <span className={is_disabled ? 'text-ink-muted wrap-anywhere' : 'wrap-anywhere'}>{displayName}</span>
            {is_me && <Badge tone="accent">คุณ</Badge>}
            <Badge>{getRoleLabel(role)}</Badge>
            {has_second_factor && <Badge tone="accent">ยืนยันสองขั้น</Badge>}
            {is_disabled && <Badge tone="urgent">ปิดบัญชีแล้ว</Badge>}
          </p>
          <p className="text-sm text-ink-muted wrap-anywhere">
            {name !== null && `${email} · `}
            {last_seen_at === null ? 'ยังไม่เคยเข้าใช้' : `เข้าใช้ล่าสุด ${formatThaiDateTime(last_seen_at)}`}
          </p>
        </div>
        {!is_me && (
          <Menu
            label={`จัดการ ${displayName}`}
            trigger={(props) => <IconButton {...props} icon={EllipsisVertical} label={`จัดการ ${displayName}`} />}
          >
            {is_disabled ? (
              <MenuItem onSelect={reopenAccount}>เปิดบัญชีอีกครั้ง</MenuItem>
            ) : (
              <>
                <MenuItem onSelect={() => setRole(otherRole.code)}>เปลี่ยนเป็น {otherRole.label}</MenuItem>
                <MenuItem danger onSelect={() => setConfirming(true)}>
                  ปิดบัญชี
                </MenuItem>
              </>
            )}
          </Menu>
        )}
      </div>
      {isConfirming && (
        <InlineConfirmation
          label={`ยืนยันการปิดบัญชีของ ${displayName}`}
          no="ไม่ปิด"
          yes="ปิดบัญชี"
          onNo={() => setConfirming(false)}
          onYes={closeAccount}
          pending={isPending}
          className="mt-3 rounded-control border border-urgent-line bg-urgent-soft px-3 py-2"
        >
          {displayName} จะออกจากระบบทุกอุปกรณ์ทันที ดาวและป้ายกำกับยังเก็บไว้ เปิดบัญชีอีกครั้งได้ภายหลัง
          <span className="mt-2 flex flex-wrap items-center gap-2">
            งานของเราที่ยังไม่จบส่งต่อให้
            <Listbox
              label="ส่งต่องานให้"
              value={heir}
              options={[{ value: NO_SUCCESSOR, th: 'ยังไม่มีผู้ดูแล' }, ...heirs]}
              onChange={setHeir}
              className="h-8 touch:h-11"
            />
          </span>
        </InlineConfirmation>
      )}
    </>
  )
}
