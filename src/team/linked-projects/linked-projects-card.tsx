import { useQuery } from '@tanstack/react-query'
import { Link2Off } from 'lucide-react'
import type { LinkedProject } from '#contract/catalogue/linked-project.ts'
import { formatLawClause, getCurrentProcurementRule } from '#contract/catalogue/procurement-rules.ts'
import { getChoiceLabel, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import { formatMovementDay } from '#contract/thai/thai-date.ts'
import { formatBahtCompact } from '#contract/thai/thai-number.ts'
import { ProjectName } from '#src/catalogue/project-name.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { linkedProjectsQuery } from '#src/report/api/project-details.ts'
import { PurchaseHistoryLines } from '#src/report/purchase-history/purchase-history-lines.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { PossibleDuplicateList } from './possible-duplicate-lines.tsx'

type Kind = LinkedProject['kind']
/** Both directions of a re-tender belong to one group. */
const isRetender = (kind: Kind) => kind !== 'yearly' && kind !== 'similar'

const LINK_GROUPS: readonly { title: string; text: string; includes: (kind: Kind) => boolean }[] = [
  { title: 'ยกเลิกแล้วประกาศใหม่', text: 'หน่วยงานเดียวกัน ชื่อและงบใกล้กัน อาจเป็นงานเดิมที่ประกาศใหม่', includes: isRetender },
  { title: 'ซื้อทุกปี', text: 'หน่วยงานเดียวกันเคยซื้องานลักษณะนี้ในปีงบประมาณอื่น', includes: (kind) => kind === 'yearly' },
  { title: 'งานชื่อคล้ายกัน', text: 'ชื่อโครงการใกล้เคียงกัน', includes: (kind) => kind === 'similar' },
]

const KIND_NOTES: Readonly<Partial<Record<Kind, string>>> = {
  retender_of: 'ครั้งก่อนที่ยกเลิก',
  retendered_as: 'ประกาศใหม่',
}

function LinkedProjectItem({ project }: { project: LinkedProject }) {
  const note = KIND_NOTES[project.kind]
  const { budget, winner_name: winner, winner_budget: price } = project
  return (
    <li className="py-2.5">
      {note && (
        <p className="mb-0.5">
          <Badge tone={project.kind === 'retendered_as' ? 'updated' : 'neutral'}>{note}</Badge>
        </p>
      )}
      <p>
        <ProjectName project={project} className="font-medium" />
      </p>
      <p className="text-sm text-ink-muted">
        {joinParts(
          project.dept_sub_name || project.dept_name,
          project.fiscal_year !== null && `ปีงบประมาณ ${project.fiscal_year}`,
        )}
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-ink-muted tabular-nums">
        <span>งบ {budget === null ? 'ไม่มีข้อมูล' : formatBahtCompact(budget)}</span>
        {winner !== null && (
          <span>
            ผู้ชนะ <span className="text-ink">{winner}</span>
            {price !== null && ` ${formatBahtCompact(price)}`}
          </span>
        )}
      </p>
      <p className="text-xs text-ink-faint">
        {getChoiceLabel(PROJECT_MOVEMENTS, project.movement)}
        {project.movement_date && ` ${formatMovementDay(project.movement_date, project.is_movement_undated)}`}
        {!project.in_report && ' · อยู่นอกรายงานขององค์กร จึงเปิดดูรายละเอียดไม่ได้'}
      </p>
    </li>
  )
}

/** Projects linked to this one: re-tendered, bought yearly, or similar (N8, N9). Fetches its own data. */
type LinkedProjectsCardProps = {
  projectId: string
  /** Decides whether the papers of a cancelled round are free. */
  method: string
  className?: string
}

export function LinkedProjectsCard({ projectId, method, className }: LinkedProjectsCardProps) {
  const linkedProjects = useQuery(linkedProjectsQuery(projectId))
  return (
    <Card as="section" aria-label="โครงการที่เกี่ยวข้อง" className={classNames('p-5', className)}>
      <h2 className="text-md font-semibold">โครงการที่เกี่ยวข้อง</h2>
      <QueryView
        query={linkedProjects}
        task="โหลดโครงการที่เกี่ยวข้อง"
        errorClassName="mt-3"
        barsClassName="mt-3 space-y-2"
        bars={['w-5/6', 'w-1/2', 'w-5/6', 'w-1/2', 'w-5/6', 'w-1/2']}
      >
        {({ history, twins = [], results }) => (
          <>
            {history && (
              <div className="mt-2">
                <PurchaseHistoryLines history={history} />
              </div>
            )}
            {method === 'e_bidding' && results.some(({ kind }) => isRetender(kind)) && <FreePapersNote />}
            <PossibleDuplicateList projectId={projectId} twins={twins} className="mt-3" />
            <Groups
              projects={results.filter((project) => !twins.some((twin) => twin.project_id === project.project_id))}
              hasTwins={twins.length > 0}
            />
          </>
        )}
      </QueryView>
    </Card>
  )
}

function FreePapersNote() {
  const { source } = getCurrentProcurementRule('papersOfCancelledRoundAreFree')
  return (
    <p className="mt-2 text-sm">
      ผู้ที่ซื้อเอกสารรอบก่อนได้เอกสารใหม่ฟรี{' '}
      <span className="text-xs text-ink-faint">{formatLawClause(source)} ติดต่อหน่วยงานพร้อมหลักฐานการซื้อ</span>
    </p>
  )
}

function Groups({ projects, hasTwins }: { projects: readonly LinkedProject[]; hasTwins: boolean }) {
  if (projects.length === 0 && hasTwins) return null
  if (projects.length === 0) {
    return (
      <p className="mt-2 flex items-start gap-2 text-ink-muted">
        <Link2Off aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
        ไม่พบโครงการที่ประกาศใหม่ ซื้อทุกปี หรือชื่อคล้ายกัน
      </p>
    )
  }
  return LINK_GROUPS.map(({ title, text, includes }) => {
    const groupProjects = projects.filter(({ kind }) => includes(kind))
    if (groupProjects.length === 0) return null
    return (
      <section key={title} aria-label={title} className="mt-3 first-of-type:mt-2">
        <h3 className="text-sm font-semibold">{title}</h3>
        <p className="text-xs text-ink-faint">{text}</p>
        <ul className="divide-y divide-line">
          {groupProjects.map((project) => (
            <LinkedProjectItem key={`${project.kind} ${project.project_id}`} project={project} />
          ))}
        </ul>
      </section>
    )
  })
}
