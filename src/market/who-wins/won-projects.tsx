import { type UseQueryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { type WonProjects as Answer, WON_PROJECTS_PAGE_SIZE, type WonProject } from '#contract/market/who-wins.ts'
import { formatThaiDate } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
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
  const lastPage = data === undefined ? 1 : Math.max(1, Math.ceil(data.total / WON_PROJECTS_PAGE_SIZE))
  return (
    <Modal
      open
      onClose={onClose}
      variant="side"
      title={title}
      description={data && `${formatCount(data.total)} โครงการ`}
      footer={
        lastPage > 1 && (
          <nav aria-label="หน้าของโครงการ" className="flex items-center justify-between gap-2">
            <Button size="sm" disabled={page <= 1} onClick={() => setPageState({ rows, page: page - 1 })}>
              ก่อนหน้า
            </Button>
            <span className="text-ink-muted tabular-nums">
              หน้า {formatCount(page)} / {formatCount(lastPage)}
            </span>
            <Button size="sm" disabled={page >= lastPage} onClick={() => setPageState({ rows, page: page + 1 })}>
              ถัดไป
            </Button>
          </nav>
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
  const { name, project_id: id, winners, discount } = project
  return (
    <article className="space-y-1">
      <h3 className="font-medium">
        {project.in_report ? (
          <Link to="/report/$id" params={{ id }} className="decoration-line-strong underline-offset-4 hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </h3>
      <p className="text-xs text-ink-muted">
        {[id, project.dept_name, project.project_province, getChoiceLabel(PROCUREMENT_METHODS, project.method)]
          .filter(Boolean)
          .join(' · ')}
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
