import { EllipsisVertical } from 'lucide-react'
import { useState } from 'react'
import type { Member } from '#contract/account/member.ts'
import { roleLabel, USER_ROLES } from '#contract/account/user.ts'
import { changeMember } from '#src/account/api/members.ts'
import { errorMessage } from '#src/api/http/problem-error.ts'
import { thaiInstant } from '#src/lib/thai-day.ts'
import { Avatar } from '#src/shell/session/avatar.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { ConfirmInPlace } from '#src/ui/confirm-in-place.tsx'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import { Menu, MenuItem } from '#src/ui/overlay/menu.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'

export async function tell(work: Promise<void>, done: string, failed: string): Promise<void> {
  try {
    await work
    showToast({ text: done, tone: 'done' })
  } catch (error) {
    showToast({ text: `${failed} ${errorMessage(error)}`, tone: 'error' })
  }
}

function choose(close: () => void, act: () => void): void {
  close()
  act()
}

type MemberRowProps = {
  member: Member
  /** All members, as possible successors. */
  colleagues: readonly Member[]
}

const NOBODY = 0

export function MemberRow({ member, colleagues }: MemberRowProps) {
  const { id, name, email, role, last_seen_at, is_disabled, is_me, has_second_factor } = member
  const [isAsking, setAsking] = useState(false)
  const [heir, setHeir] = useState(NOBODY)
  const shown = name ?? email
  const heirs = colleagues
    .filter((one) => one.id !== id && !one.is_disabled)
    .map((one) => ({ value: one.id, th: one.name ?? one.email }))
  const other = USER_ROLES.find(({ code }) => code !== role)!
  const setRole = () =>
    void tell(changeMember(id, { role: other.code }), `${shown} เป็น ${other.label} แล้ว`, 'แก้สิทธิ์ไม่สำเร็จ')
  const open = () => void tell(changeMember(id, { is_disabled: false }), `เปิดบัญชีของ ${shown} แล้ว`, 'เปิดบัญชีไม่สำเร็จ')
  const closeAccount = async () => {
    await tell(
      changeMember(id, { is_disabled: true, hand_over_to: heir === NOBODY ? null : heir }),
      `ปิดบัญชีของ ${shown} แล้ว`,
      'ปิดบัญชีไม่สำเร็จ',
    )
    setAsking(false)
  }
  return (
    <li className="px-4 py-3 sm:px-5">
      <div className="flex items-center gap-3">
        <Avatar user={{ first_name: name, last_name: null, email }} />
        <div className="min-w-0 flex-1">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <span className={is_disabled ? 'text-ink-muted wrap-anywhere' : 'wrap-anywhere'}>{shown}</span>
            {is_me && <Badge tone="accent">คุณ</Badge>}
            <Badge>{roleLabel(role)}</Badge>
            {has_second_factor && <Badge tone="accent">ยืนยันสองขั้น</Badge>}
            {is_disabled && <Badge tone="urgent">ปิดบัญชีแล้ว</Badge>}
          </p>
          <p className="text-sm text-ink-muted wrap-anywhere">
            {name !== null && `${email} · `}
            {last_seen_at === null ? 'ยังไม่เคยเข้าใช้' : `เข้าใช้ล่าสุด ${thaiInstant(last_seen_at)}`}
          </p>
        </div>
        {!is_me && (
          <Menu
            label={`จัดการ ${shown}`}
            trigger={(props) => <IconButton {...props} icon={EllipsisVertical} label={`จัดการ ${shown}`} />}
          >
            {(close) =>
              is_disabled ? (
                <MenuItem onSelect={() => choose(close, open)}>เปิดบัญชีอีกครั้ง</MenuItem>
              ) : (
                <>
                  <MenuItem onSelect={() => choose(close, setRole)}>เปลี่ยนเป็น {other.label}</MenuItem>
                  <MenuItem danger onSelect={() => choose(close, () => setAsking(true))}>
                    ปิดบัญชี
                  </MenuItem>
                </>
              )
            }
          </Menu>
        )}
      </div>
      {isAsking && (
        <ConfirmInPlace
          label={`ยืนยันการปิดบัญชีของ ${shown}`}
          no="ไม่ปิด"
          yes="ปิดบัญชี"
          onNo={() => setAsking(false)}
          onYes={closeAccount}
          className="mt-3 rounded-control border border-urgent-line bg-urgent-soft px-3 py-2"
        >
          {shown} จะออกจากระบบทุกอุปกรณ์ทันที ดาวและป้ายกำกับยังเก็บไว้ เปิดบัญชีอีกครั้งได้ภายหลัง
          <span className="mt-2 flex flex-wrap items-center gap-2">
            งานของเราที่ยังไม่จบส่งต่อให้
            <Listbox
              label="ส่งต่องานให้"
              value={heir}
              options={[{ value: NOBODY, th: 'ยังไม่มีผู้ดูแล' }, ...heirs]}
              onChange={setHeir}
              className="h-8 touch:h-11"
            />
          </span>
        </ConfirmInPlace>
      )}
    </li>
  )
}
