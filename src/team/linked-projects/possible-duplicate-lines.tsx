import { useQuery } from '@tanstack/react-query'
import { ArrowRightLeft } from 'lucide-react'
import type { PossibleDuplicateKind, PossibleDuplicateProject } from '#contract/catalogue/possible-duplicate-project.ts'
import { formatBahtCompact, groupDigits } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { ActionButton } from '#src/account/form-refusal/action-button.tsx'
import { ProjectName } from '#src/catalogue/project-name.tsx'
import { linkedProjectsQuery } from '#src/report/api/project-details.ts'
import { movePursuitToRetender } from '#src/team/api/pursuits.ts'
import { Badge } from '#src/ui/badge.tsx'

const KIND_TEXTS: Readonly<Record<PossibleDuplicateKind, string>> = {
  again: 'ยกเลิกแล้วประกาศใหม่',
  same: 'ประกาศซ้ำหรือแบ่งประกาศ',
  lot: 'คนละส่วนของงานเดียวกัน',
  sister: 'หน่วยอื่นประกาศงานอย่างเดียวกัน',
}

const percent = (share: number) => groupDigits(share * 100, share > 0 && share < 0.01 ? 1 : 0)

function reasonText({ reason: { kind, likeness, budget_share, days }, budget }: PossibleDuplicateProject): string {
  return [
    kind === 'sister' ? 'หน่วยงานเดียวกัน คนละหน่วย' : 'หน่วยเดียวกัน',
    likeness === 1 ? 'ชื่อตรงกัน' : `ชื่อตรงกัน ${percent(likeness)}%`,
    budget_share === null
      ? 'ไม่รู้งบ'
      : budget_share === 0
        ? `งบเท่ากัน${budget === null ? '' : ` ${formatBahtCompact(budget)}`}`
        : `งบต่างกัน ${percent(budget_share)}%`,
    days === null ? 'ไม่รู้วันประกาศ' : days === 0 ? 'ประกาศวันเดียวกัน' : `ประกาศห่างกัน ${days} วัน`,
  ].join(' · ')
}

type TwinLinesProps = {
  projectId: string
  twins: readonly PossibleDuplicateProject[]
  className?: string
}

export function PossibleDuplicateList({ projectId, twins, className }: TwinLinesProps) {
  if (twins.length === 0) return null
  return (
    <section aria-label="อาจเป็นงานเดียวกัน" className={className}>
      <h3 className="text-sm font-semibold">อาจเป็นงานเดียวกัน</h3>
      <p className="text-xs text-ink-faint">ดูจากหน่วยงาน ชื่อ งบ และวันประกาศ ระบบไม่รวมให้ โปรดตรวจก่อน</p>
      <ul className="divide-y divide-line">
        {twins.map((twin) => (
          <li key={twin.project_id} className="py-2">
            <p className="mb-0.5">
              <Badge tone="updated">{KIND_TEXTS[twin.reason.kind]}</Badge>
            </p>
            <p>
              <ProjectName project={twin} className="font-medium" />
            </p>
            <p className="text-sm text-ink-muted">{reasonText(twin)}</p>
            {twin.reason.kind === 'sister' && <p className="text-sm text-ink-muted">{twin.dept_sub_name}</p>}
            {!twin.in_report && <p className="text-xs text-ink-faint">อยู่นอกรายงานขององค์กร จึงเปิดดูรายละเอียดไม่ได้</p>}
            {twin.in_report && twin.kind === 'retendered_as' && (
              <MovePursuitButton from={projectId} to={twin.project_id} />
            )}
            {twin.in_report && twin.kind === 'retender_of' && (
              <MovePursuitButton from={twin.project_id} to={projectId} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

export function PossibleDuplicatesInPeekPanel({ projectId }: { projectId: string }) {
  const { data } = useQuery(linkedProjectsQuery(projectId))
  return (
    <PossibleDuplicateList projectId={projectId} twins={data?.twins ?? []} className="mt-4 border-t border-line pt-3" />
  )
}

function MovePursuitButton({ from, to }: { from: string; to: string }) {
  if (isDemoSession()) return null
  return (
    <ActionButton
      size="sm"
      icon={ArrowRightLeft}
      run={() => movePursuitToRetender({ from, to })}
      failed="ย้ายไม่สำเร็จ"
      done={`ย้ายดาว ป้าย และการ์ดไปเลขที่ ${to} แล้ว`}
    >
      ย้ายดาว ป้าย และการ์ดไปเลขใหม่
    </ActionButton>
  )
}
