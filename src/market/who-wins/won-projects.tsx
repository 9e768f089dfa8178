import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { type WonProjects as Answer, WON_PROJECTS_PAGE_SIZE, type WonProject } from '#contract/market/who-wins.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { ProjectName } from '#src/catalogue/project-name.tsx'
import { formatPercent } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { PageSteps } from '#src/ui/page-steps.tsx'
import { QueryView } from '#src/ui/query-view.tsx'

type WonProjectsProps<Key extends readonly unknown[]> = {
  rows: string
  title: string
  queryOf: (page: number) => UseQueryOptions<Answer, Error, Answer, Key>
  onClose: () => void
}

export function WonProjects<Key extends readonly unknown[]>({ rows, title, queryOf, onClose }: WonProjectsProps<Key>) {
  const [pageState, setPageState] = useState({ rows, page: 1 })
  const page = pageState.rows === rows ? pageState.page : 1
  const projects = useQuery(queryOf(page))
  const { data } = projects
  return (
    <Modal
      open
      onClose={onClose}
      variant="side"
      title={title}
      description={data && `${formatCount(data.total)} โครงการ`}
      footer={
        data &&
        data.total > WON_PROJECTS_PAGE_SIZE && (
          <PageSteps
            label="หน้าของโครงการ"
            page={page}
            pageSize={WON_PROJECTS_PAGE_SIZE}
            total={data.total}
            onPage={(to) => setPageState({ rows, page: to })}
          />
        )
      }
    >
      <QueryView query={projects} task="โหลดโครงการ" notesStale bars={['h-96 w-full']}>
        {({ results, total }) => (
          <ul className="divide-y divide-line px-4">
            {results.map((project) => (
              <li key={project.project_id} className="py-3">
                <Row project={project} />
              </li>
            ))}
            {total === 0 && <li className="py-6 text-center text-ink-muted">ไม่มีโครงการของตัวเลขนี้แล้ว</li>}
          </ul>
        )}
      </QueryView>
    </Modal>
  )
}

function Row({ project }: { project: WonProject }) {
  const { project_id: id, winners, discount } = project
  return (
    <article className="space-y-1">
      <h3 className="font-medium">
        <ProjectName project={project} />
      </h3>
      <p className="text-xs text-ink-muted">
        {joinParts(
          id,
          project.dept_name,
          project.project_province,
          getChoiceLabel(PROCUREMENT_METHODS, project.method),
        )}
      </p>
      <p className="tabular-nums">
        {winners.length === 0 ? 'ยังไม่รู้ผล' : `ผู้ชนะ ${winners.join(', ')}`}
        {project.value !== null && ` · ${formatBaht(project.value)} บาท`}
        {discount !== null &&
          (discount < 0
            ? ` · แพงกว่าราคากลาง ${formatPercent(-discount)}`
            : ` · ต่ำกว่าราคากลาง ${formatPercent(discount)}`)}
        {project.decided_date !== null && ` · ${formatThaiDate(project.decided_date)}`}
      </p>
    </article>
  )
}
