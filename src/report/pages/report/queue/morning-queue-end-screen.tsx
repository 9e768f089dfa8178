import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight, CircleCheckBig, Eye, EyeOff, MessageCircle, Star, Tag, Undo2 } from 'lucide-react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { useUser } from '#src/account/api/users.ts'
import { MAX_PROJECTS_PER_LINE_MESSAGE } from '#src/channels/line-copy/build-line-message.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { findReportProjects } from '#src/report/api/report-projects.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { getMorningQueueMarks } from './morning-queue-marks.ts'
import { computeMorningQueueOutcome, type MorningQueueState } from './morning-queue-state.ts'

const MAX_IDS_IN_LINK = 200

type ReportQueueEndProps = {
  state: MorningQueueState
  remaining: number
  time: string
  search: ReportSearch
  canUndo: boolean
  onLeave: () => void
  onUndo: () => void
  onMore: () => void
}

export function MorningQueueEndScreen({
  state,
  remaining,
  time,
  search,
  canUndo,
  onLeave,
  onUndo,
  onMore,
}: ReportQueueEndProps) {
  const user = useUser()
  const outcome = computeMorningQueueOutcome(state, (id) => getMorningQueueMarks(user, id))
  const { starred } = outcome
  const count = Object.values(outcome).reduce((sum, ids) => sum + ids.length, 0)
  const starredSearch: ReportSearch = {
    ...(search.is_archived && { is_archived: true }),
    ...(starred.length <= MAX_IDS_IN_LINK && { project_id__in: starred }),
    project_bookmark: true,
  }
  const counts = [
    { icon: Star, name: 'ติดดาว', ids: starred },
    { icon: Tag, name: 'ติดป้าย', ids: outcome.labelled },
    { icon: EyeOff, name: 'ซ่อน', ids: outcome.hidden },
    { icon: Eye, name: 'ดูแล้ว', ids: outcome.seen },
  ]
  return (
    <Card className="appear mx-auto mt-[8vh] mb-6 w-[min(520px,calc(100%-2rem))] p-6">
      <div className="flex items-center gap-3">
        <CircleCheckBig aria-hidden className="size-8 shrink-0 text-new" />
        <div>
          <h3 className="text-lg font-semibold">
            {remaining > 0 ? `ไล่ดูชุดนี้ครบ ${formatCount(count)} โครงการ` : `ไล่ดูครบ ${formatCount(count)} โครงการแล้ว`}
          </h3>
          <p className="text-ink-muted">
            {time}
            {remaining > 0 && ` · ยังมีอีก ${formatCount(remaining)} โครงการ`}
          </p>
        </div>
      </div>
      <dl className="mt-5 grid grid-cols-4 gap-2 text-center">
        {counts.map(({ icon: Icon, name, ids }) => (
          <div key={name} className="flex flex-col-reverse rounded-control bg-surface-muted px-1 py-2.5">
            <dt className="flex items-center justify-center gap-1 text-sm text-ink-muted">
              <Icon aria-hidden className="size-3.5 shrink-0" />
              {name}
            </dt>
            <dd className="text-xl font-semibold tabular-nums">{formatCount(ids.length)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-6 flex flex-wrap gap-2 [&>*]:max-sm:w-full">
        {remaining > 0 && (
          <Button autoFocus variant="primary" icon={ArrowRight} onClick={onMore}>
            ไล่ดูต่อ
          </Button>
        )}
        <Button
          autoFocus={remaining === 0}
          variant={remaining > 0 ? 'secondary' : 'primary'}
          icon={ArrowLeft}
          onClick={onLeave}
        >
          กลับไปรายงาน
        </Button>
        {starred.length > 0 && (
          <>
            <Link to="/report" search={starredSearch} className={getButtonClasses()}>
              <Star aria-hidden className="size-4 shrink-0" />
              ดูที่ติดดาวเช้านี้
            </Link>
            <LineButton ids={starred} />
          </>
        )}
        <Button icon={Undo2} onClick={onUndo} disabled={!canUndo} variant="quiet">
          ย้อน (U)
        </Button>
      </div>
    </Card>
  )
}

function LineButton({ ids }: { ids: readonly string[] }) {
  const copy = useMutation({
    mutationFn: async () => copyProjectsForLineChat(await findReportProjects(ids)),
    onError: () =>
      showToast({ tone: 'error', text: 'คัดลอกไม่สำเร็จ', action: { label: 'ลองใหม่', run: () => copy.mutate() } }),
  })
  if (ids.length > MAX_PROJECTS_PER_LINE_MESSAGE) return null
  return (
    <Button icon={MessageCircle} pending={copy.isPending} onClick={() => copy.mutate()}>
      คัดลอกที่ติดดาวสำหรับ LINE
    </Button>
  )
}
