import type { ReportRow } from '#contract/report/report.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import type { MorningQueueAction } from '#src/report/morning-queue/morning-queue-keys.ts'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { PursuitPanel } from '#src/team/pursuit/pursuit-panel.tsx'

type PursuitKey = Extract<MorningQueueAction, 'note' | 'owner' | `stage ${number}`>

export const isMorningQueuePursuitAction = (key: MorningQueueAction): key is PursuitKey =>
  key === 'note' || key === 'owner' || key.startsWith('stage ')

export async function runMorningQueuePursuitAction(
  key: PursuitKey,
  id: string,
  announce: (text: string) => void,
): Promise<void> {
  if (isDemoSession()) return announce('โหมดทดลองใช้งานไม่มีงานของเรา')
  const { focusPursuitField, moveProjectToStage } = await import('#src/team/pursuit/move-project-to-stage.ts')
  if (key === 'note' || key === 'owner') {
    if (!focusPursuitField(key)) announce('กำลังเปิดงานของเรา')
    return
  }
  const stageNumber = Number(key.slice('stage '.length))
  const stage = await moveProjectToStage(id, stageNumber)
  announce(stage === undefined ? `ไม่มีขั้นที่ ${stageNumber}` : `ย้ายไป ${stage} แล้ว`)
}

export function MorningQueuePursuit({ row }: { row: ReportRow }) {
  if (isDemoSession()) return null
  return (
    <div className="mt-3 max-sm:px-4">
      <BlockErrorBoundary name="งานของเรา" resetKey={row.project_id} className="min-h-60">
        <PursuitPanel row={row} look="card" />
      </BlockErrorBoundary>
    </div>
  )
}
