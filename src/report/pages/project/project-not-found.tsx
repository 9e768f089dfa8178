import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { SearchX } from 'lucide-react'
import { useEffect } from 'react'
import { extractProjectId } from '#contract/catalogue/project-id.ts'
import { projectKeys } from '#src/api/http/keys.ts'
import { ProblemError } from '#src/lib/problem-error.ts'
import { matchExplanationQuery } from '#src/matching/api/keyword-impact.ts'
import { MatchExplanationAnswer } from '#src/report/why-not/match-explanation-answer.tsx'
import { getButtonClasses } from '#src/ui/button.tsx'
import { takeLostFocus } from '#src/ui/focus-on-mount.ts'
import { QueryView } from '#src/ui/query-view.tsx'

export function ProjectNotFound({ id }: { id: string }) {
  const client = useQueryClient()
  const isNumber = extractProjectId(id) === id
  const explanation = useQuery({ ...matchExplanationQuery(id), enabled: isNumber })
  const { data: why, error } = explanation
  const isUnknown = !isNumber || why?.project === null || (error instanceof ProblemError && error.status < 429)

  const isInReport = why?.in_report === true
  useEffect(() => {
    if (isInReport) void client.invalidateQueries({ queryKey: projectKeys.detail(id) })
  }, [isInReport, client, id])

  return (
    <div className="mx-auto max-w-3xl">
      <div className="flex items-start gap-4">
        <span className="mt-1 inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-surface-muted text-ink-faint">
          <SearchX aria-hidden className="size-5" />
        </span>
        <div className="min-w-0">
          <h1 ref={takeLostFocus} tabIndex={-1} className="text-2xl font-semibold outline-none max-md:text-xl">
            ไม่มีโครงการนี้ในรายงานขององค์กร
          </h1>
          <p className="mt-1 text-ink-muted [overflow-wrap:anywhere]">
            {isUnknown
              ? `ไม่พบเลขที่ ${id.slice(0, 40)} ในข้อมูลที่ระบบมี ตรวจตัวเลขอีกครั้ง เลขที่โครงการ e-GP มี 11 หลัก หรือรอข้อมูลรอบถัดไปถ้าเพิ่งประกาศ`
              : `ระบบรู้จักโครงการ ${id.slice(0, 40)} แต่ไม่เข้าเงื่อนไขรายงานขององค์กรคุณ ด้านล่างคือเหตุผลทีละข้อและสิ่งที่ทำได้`}
          </p>
          <p className="mt-3 flex flex-wrap gap-2">
            <Link to="/report" className={getButtonClasses('primary')}>
              ไปรายงานโครงการ
            </Link>
            <Link to="/watch" search={{ tab: 'why' }} className={getButtonClasses()}>
              ตรวจเลขที่อื่น
            </Link>
          </p>
        </div>
      </div>
      {!isUnknown && (
        <div className="mt-6">
          <QueryView query={explanation} task="หาเหตุผล" barsClassName="flex flex-col gap-3" bars={['h-12', 'h-24']}>
            {(answer) => <MatchExplanationAnswer id={id} why={answer} />}
          </QueryView>
        </div>
      )}
    </div>
  )
}
