import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { LineGroupCode } from '#contract/channels/line.ts'
import { toastMutationResult } from '#src/account/form-refusal/toast-result.ts'
import { createLineGroupCode, disconnectLineGroup, lineGroupsQuery } from '#src/channels/api/line.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { Button } from '#src/ui/button.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

/** Manages the LINE groups in which the bot replies to a pasted project number with public facts. For super users. */
export function LineGroupsSection() {
  const lineGroups = useQuery(lineGroupsQuery)
  const [pairingCode, setPairingCode] = useState<LineGroupCode>()
  const { mutate: requestCode, isPending } = useMutation({
    mutationFn: createLineGroupCode,
    ...toastMutationResult('ขอรหัสกลุ่มไม่สำเร็จ'),
    onSuccess: setPairingCode,
  })
  const { mutate: disconnect } = useMutation({
    mutationFn: disconnectLineGroup,
    ...toastMutationResult('ยกเลิกกลุ่มไม่สำเร็จ', 'ยกเลิกกลุ่มแล้ว'),
  })
  return (
    <section aria-label="กลุ่ม LINE ของทีม" className="space-y-2 border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-0 flex-1 basis-56">
          <h3 className="font-medium">กลุ่ม LINE ของทีม</h3>
          <p className="text-sm text-ink-muted">
            วางเลขที่โครงการหรือลิงก์ e-GP ในกลุ่ม แล้วตามงานตอบด้วยการ์ดของโครงการ ทุกคนในกลุ่มเห็น จึงมีแต่ข้อมูลที่ประกาศแล้ว
          </p>
        </div>
        <Button pending={isPending} onClick={() => requestCode()}>
          ขอรหัสกลุ่ม
        </Button>
      </div>
      {pairingCode && (
        <p role="status" className="rounded-control bg-surface-muted px-3 py-2 text-sm">
          เชิญตามงานเข้ากลุ่ม แล้วส่งข้อความ <span className="font-medium select-all">{pairingCode.text}</span> ในกลุ่มนั้น
          <span className="block text-ink-muted">ใช้ได้ครั้งเดียวถึง {formatThaiDateTime(pairingCode.expires_at)}</span>
        </p>
      )}
      <QueryView query={lineGroups} errorTitle="โหลดกลุ่มไม่สำเร็จ" skeleton={<SkeletonGroup bars={['h-10']} />}>
        {({ groups }) => (
          <ul aria-label="กลุ่มที่เชื่อมแล้ว" className="divide-y divide-line">
            {groups.map(({ id, connected_by, connected_at }) => (
              <li key={id} className="flex flex-wrap items-center gap-3 py-2">
                <p className="min-w-0 flex-1 text-sm wrap-anywhere">
                  เชื่อม {formatThaiDateTime(connected_at)}
                  {connected_by !== null && ` โดย ${connected_by}`}
                </p>
                <Button
                  size="sm"
                  variant="quiet"
                  aria-label={`ยกเลิกกลุ่มที่เชื่อม ${formatThaiDateTime(connected_at)}`}
                  onClick={() => disconnect(id)}
                >
                  ยกเลิก
                </Button>
              </li>
            ))}
            {groups.length === 0 && <li className="py-2 text-sm text-ink-muted">ยังไม่มีกลุ่มที่เชื่อม</li>}
          </ul>
        )}
      </QueryView>
    </section>
  )
}
