import type { ReportRow } from '#contract/report/report.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { lazyComponent } from '#src/lib/lazy-component.ts'
import type { MorningQueueAction } from '#src/report/morning-queue/morning-queue-keys.ts'
import { Card } from '#src/ui/card.tsx'
import { LazyBoundary } from '#src/ui/lazy-boundary.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'

const PursuitBlock = lazyComponent(() => import('#src/team/pursuit/pursuit-panel.tsx'), 'PursuitPanel')

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

function Waiting() {
  return (
    <Card className="min-h-60 p-5">
      <SkeletonGroup label="กำลังเปิดงานของเรา" className="flex flex-col gap-3" bars={['h-9', 'w-2/3']} />
    </Card>
  )
}

export function MorningQueuePursuit({ row }: { row: ReportRow }) {
  if (isDemoSession()) return null
  return (
    <div className="mt-3 max-sm:px-4">
      <LazyBoundary resetKey={row.project_id} fallback={<Waiting />}>
        <PursuitBlock row={row} look="card" />
      </LazyBoundary>
    </div>
  )
}
