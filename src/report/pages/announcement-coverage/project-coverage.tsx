import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { findAnnouncementType } from '#contract/catalogue/announcement-type.ts'
import type { ProjectCoverage } from '#contract/catalogue/coverage.ts'
import { formatThaiDateShort } from '#contract/thai/thai-date.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { projectCoverageQuery } from '#src/catalogue/api/coverage.ts'
import { formatThaiDateTime } from '#src/lib/thai-date-time.ts'
import { MatchExplanationPanel } from '#src/report/why-not/match-explanation-panel.tsx'
import { Card } from '#src/ui/card.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

export function ProjectCoverageCheck() {
  const [id, setId] = useState<string>()
  const navigate = useNavigate()
  return (
    <section aria-labelledby="coverage-check" className="space-y-3 print:hidden">
      <h2 id="coverage-check" className="text-lg font-semibold">
        ตรวจเองทีละโครงการ
      </h2>
      {id !== undefined && <Since id={id} />}
      <MatchExplanationPanel
        id={id}
        onChange={setId}
        onAddWord={(word) => void navigate({ to: '/watch', search: { list: 'include', word } })}
        locked={isDemoSession()}
        canRescue={!isDemoSession()}
      />
    </section>
  )
}

function Since({ id }: { id: string }) {
  const project = useQuery(projectCoverageQuery(id))
  return (
    <QueryView query={project} errorTitle="ตรวจว่ามีโครงการนี้ตั้งแต่เมื่อไรไม่สำเร็จ" skeleton={<Skeleton className="h-16" />}>
      {(data) => <SinceAnswer {...data} />}
    </QueryView>
  )
}

function SinceAnswer({ project_id, since, announcements }: ProjectCoverage) {
  return (
    <Card as="section" aria-label="มีในระบบตั้งแต่เมื่อไร" className="space-y-1 px-4 py-3">
      <p className="font-semibold">
        {project_id === null
          ? announcements.length > 0
            ? 'ได้รับประกาศแล้ว แต่โครงการยังไม่เข้าระบบ'
            : 'ไม่มีโครงการนี้ในระบบ และไม่เคยได้รับประกาศ'
          : since === null
            ? 'มีในระบบ แต่ไม่รู้ว่าตั้งแต่เมื่อไร'
            : `มีในระบบตั้งแต่ ${formatThaiDateTime(since)}`}
      </p>
      <ul className="text-sm text-ink-muted">
        {announcements.map(({ type, published_on, received_at, is_published, detail }) => (
          <li key={`${type} ${published_on} ${received_at}`}>
            {findAnnouncementType(type)?.th ?? type} วันที่ {formatThaiDateShort(published_on)} · ได้รับ{' '}
            {formatThaiDateTime(received_at)}
            {!is_published && <span className="text-updated"> · ยังไม่เข้าระบบ{detail !== null && `: ${detail}`}</span>}
          </li>
        ))}
      </ul>
    </Card>
  )
}
