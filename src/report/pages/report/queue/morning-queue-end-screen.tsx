import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, ArrowRight, MessageCircle, Star, Undo2 } from 'lucide-react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { useUser } from '#src/account/api/users.ts'
import { MAX_PROJECTS_PER_LINE_MESSAGE } from '#src/channels/line-copy/build-line-message.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { findReportProjects } from '#src/report/api/report-projects.ts'
import { MorningQueueEnd } from '#src/report/morning-queue/morning-queue-end.tsx'
import { computeMorningQueueOutcome, type MorningQueueState } from '#src/report/morning-queue/morning-queue-state.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { showToast } from '#src/ui/overlay/toast.ts'
import { getMorningQueueMarks } from './morning-queue-marks.ts'

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
  return (
    <MorningQueueEnd
      outcome={outcome}
      time={time}
      remaining={remaining}
      actions={
        <>
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
              <Link to="/report" search={starredSearch(search, starred)} className={getButtonClasses()}>
                <Star aria-hidden className="size-4 shrink-0" />
                ดูที่ติดดาวเช้านี้
              </Link>
              <LineButton ids={starred} />
            </>
          )}
          <Button icon={Undo2} onClick={onUndo} disabled={!canUndo} variant="quiet">
            ย้อน (U)
          </Button>
        </>
      }
    />
  )
}

function starredSearch({ is_archived }: ReportSearch, ids: readonly string[]): ReportSearch {
  return {
    ...(is_archived ? { is_archived } : {}),
    ...(ids.length <= MAX_IDS_IN_LINK ? { project_id__in: ids } : {}),
    project_bookmark: true,
  }
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
