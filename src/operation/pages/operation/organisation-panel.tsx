import { useMutation, useQuery } from '@tanstack/react-query'
import { RefreshCcw } from 'lucide-react'
import { useState } from 'react'
import { getRoleLabel } from '#contract/account/user.ts'
import type { OperatorOrganisationDetails } from '#contract/operation/operator-organisations.ts'
import { formatErrorMessage } from '#src/lib/problem-error.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import {
  operatorOrganisationQuery,
  rematchOrganisation,
  updateOrganisationAsOperator,
  updateUserAsOperator,
} from '#src/operation/api/operator-organisations.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

import { OrganisationForm } from './organisation-form.tsx'

export function OrganisationPanel({ code }: { code: string }) {
  const organisation = useQuery(operatorOrganisationQuery(code))

  return (
    <div className="space-y-6 p-4">
      <QueryView
        query={organisation}
        errorTitle="โหลดองค์กรไม่สำเร็จ"
        staleTitle="โหลดองค์กรใหม่ไม่สำเร็จ ที่เห็นเป็นของเดิม"
        skeleton={<SkeletonGroup label="กำลังโหลดองค์กร" className="space-y-3" bars={['h-10', 'h-40', 'h-24']} />}
      >
        {(data) => (
          <>
            <OrganisationForm key={JSON.stringify(data)} organisation={data} />
            <Users organisation={data} />
            <OrganisationActions organisation={data} />
          </>
        )}
      </QueryView>
    </div>
  )
}

type Props = { organisation: OperatorOrganisationDetails }

function Users({ organisation: { users } }: Props) {
  const { mutate, isPending, variables } = useMutation(updateUserAsOperator)
  return (
    <section aria-labelledby="users-of" className="space-y-1 border-t border-line pt-4">
      <h3 id="users-of" className="font-semibold">
        ผู้ใช้
      </h3>
      {users.length === 0 && (
        <p className="text-sm text-ink-muted">ยังไม่มีผู้ใช้ สร้างที่เครื่องแม่ข่าย (npm run admin -- create-user)</p>
      )}
      <ul aria-label="ผู้ใช้" className="divide-y divide-line">
        {users.map((user) => (
          <li key={user.email} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
            <div className="min-w-0 flex-1 basis-52">
              <p className="flex flex-wrap items-center gap-2 wrap-anywhere">
                {user.name || user.email}
                {user.is_disabled && <Badge tone="urgent">ปิดแล้ว</Badge>}
              </p>
              <p className="text-xs text-ink-muted wrap-anywhere">
                {user.email} · {getRoleLabel(user.role)} ·{' '}
                {user.last_used_at === null ? 'ยังไม่เคยเข้าใช้' : `ใช้ล่าสุด ${formatThaiDateTime(user.last_used_at)}`}
              </p>
            </div>
            <Button
              size="sm"
              pending={isPending && variables.email === user.email}
              onClick={() => mutate({ email: user.email, is_disabled: !user.is_disabled })}
              aria-label={`${user.is_disabled ? 'เปิด' : 'ปิด'}บัญชี ${user.email}`}
            >
              {user.is_disabled ? 'เปิดบัญชี' : 'ปิดบัญชี'}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function OrganisationActions({ organisation: { code, name, is_disabled: isDisabled } }: Props) {
  const { mutate, isPending } = useMutation(updateOrganisationAsOperator)
  const [isAsking, setAsking] = useState(false)
  const rematch = useMutation({
    mutationFn: () => rematchOrganisation(code),
    onSuccess: () => showToast({ text: `จะจับคู่โครงการของ ${name} ใหม่ทั้งหมดในเบื้องหลัง`, tone: 'done' }),
    onError: (error) => showToast({ text: `สั่งจับคู่ใหม่ไม่สำเร็จ: ${formatErrorMessage(error)}`, tone: 'error' }),
  })
  const set = (disabled: boolean) =>
    mutate(
      { code, change: { is_disabled: disabled } },
      {
        onSuccess: () => showToast({ text: disabled ? `ปิด ${name} แล้ว` : `เปิด ${name} แล้ว`, tone: 'done' }),
        onError: (error) => showToast({ text: `เปลี่ยนไม่สำเร็จ: ${formatErrorMessage(error)}`, tone: 'error' }),
      },
    )
  return (
    <section aria-label="คำสั่งอื่น" className="flex flex-wrap gap-2 border-t border-line pt-4">
      <Button icon={RefreshCcw} pending={rematch.isPending} onClick={() => rematch.mutate()}>
        จับคู่โครงการใหม่ทั้งหมด
      </Button>
      <Button pending={isPending} onClick={() => (isDisabled ? set(false) : setAsking(true))}>
        {isDisabled ? 'เปิดองค์กร' : 'ปิดองค์กร'}
      </Button>
      <Modal
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`ปิด ${name}`}
        footer={
          <>
            <Button onClick={() => setAsking(false)} data-autofocus>
              ไม่ปิด
            </Button>
            <Button
              variant="danger"
              onClick={() => {
                setAsking(false)
                set(true)
              }}
            >
              ปิดองค์กรนี้
            </Button>
          </>
        }
      >
        <p className="p-4">ทุกคนขององค์กรนี้จะออกจากระบบทันทีและเข้าใช้ไม่ได้ ข้อมูลยังอยู่ครบ เปิดใหม่ได้ทุกเมื่อ</p>
      </Modal>
    </section>
  )
}
