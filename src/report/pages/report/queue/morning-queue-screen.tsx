import { useRouter } from '@tanstack/react-router'
import { Eye, EyeOff, SearchX, Star, StarOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { MORNING_QUEUE_KIND_LABELS } from '#contract/report/morning-queue.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useUser } from '#src/account/api/users.ts'
import { copyProjectsForLineChat } from '#src/channels/line-copy/copy-projects-for-line-chat.ts'
import { getNamedElement } from '#src/lib/named-elements.ts'
import { getProjectHref } from '#src/lib/project-url.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { pickReportFilters } from '#src/lib/report-url.ts'
import { LazyLabelPanels, openLabelPicker } from '#src/report/labels/label-panel.tsx'
import { ProjectFacts } from '#src/report/project-row/project-facts.tsx'
import { BlockErrorBoundary } from '#src/shell/block-error-boundary.tsx'
import { ShortcutList } from '#src/shell/shortcuts/shortcut-help-dialog.tsx'
import { PursuitPanel } from '#src/team/pursuit/pursuit-panel.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { Swipeable } from '#src/ui/swipe/swipeable.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { MorningQueueActions } from './morning-queue-actions.tsx'
import { MorningQueueEndScreen } from './morning-queue-end-screen.tsx'
import { MorningQueueFrame } from './morning-queue-frame.tsx'
import { formatQueueTimeSpent, MORNING_QUEUE_TITLE, MorningQueueHeader } from './morning-queue-header.tsx'
import type { MorningQueueAction } from './morning-queue-keys.ts'
import {
  getCurrentMorningQueueMarks,
  getMorningQueueMarks,
  hideProjectInMorningQueue,
  starProjectInMorningQueue,
} from './morning-queue-marks.ts'
import { closeMorningQueue } from './morning-queue-start-button.tsx'
import { getCurrentQueueProjectId, undoMorningQueueStep } from './morning-queue-state.ts'
import {
  EmptyMorningQueue,
  MORNING_QUEUE_COLUMN_CLASSES,
  MorningQueueChangedNotice,
  MorningQueuePlaceholder,
} from './morning-queue-states.tsx'
import { useMorningQueueRow, useMorningQueueSession } from './use-morning-queue-walk.ts'

/** The morning queue (N10): one project at a time; the user decides by key, button or swipe. */
export function MorningQueueScreen({ search, change }: { search: ReportSearch; change: ChangeReportSearchFn }) {
  const { history } = useRouter()
  const user = useUser()
  const walking = useMorningQueueSession(search)
  const { walk, state } = walking
  const queueRow = useMorningQueueRow(state, search)
  const [isHelping, setIsHelping] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  useEffect(() => void LazyLabelPanels.preload(), [])
  const id = state && getCurrentQueueProjectId(state)
  const { row } = queueRow
  const marks = id === undefined ? undefined : getMorningQueueMarks(user, id)
  const leave = () => closeMorningQueue(change, history)

  const decide = {
    star: () => id !== undefined && starProjectInMorningQueue(id, !getCurrentMorningQueueMarks(id).starred),
    hide: () => {
      if (id === undefined) return
      const isHidden = getCurrentMorningQueueMarks(id).hidden
      hideProjectInMorningQueue(id, !isHidden)
      if (!isHidden) walking.next()
    },
  }
  const run = (key: MorningQueueAction) => {
    setAnnouncement('')
    if (key === 'leave') return leave()
    if (key === 'help') return setIsHelping(true)
    if (key === 'undo') {
      const undone = walking.undo()
      return setAnnouncement(undone ? 'ย้อนแล้ว' : 'ไม่มีอะไรให้ย้อนแล้ว')
    }
    if (key === 'back') return walking.back()
    if (id === undefined) return
    if (key === 'next') return walking.next()
    if (key === 'hide') return decide.hide()
    if (key === 'star') {
      const on = !getCurrentMorningQueueMarks(id).starred
      decide.star()
      return setAnnouncement(on ? 'ติดดาวแล้ว' : 'เอาดาวออกแล้ว')
    }
    if (key === 'labels') return openLabelPicker([id], labelOpener())
    if (isMorningQueuePursuitAction(key)) return void runMorningQueuePursuitAction(key, id, setAnnouncement)
    if (key === 'open')
      return void window.open(getProjectHref(id, { from: pickReportFilters(search) }), '_blank', 'noopener')
    if (row) void copyProjectsForLineChat([row])
  }

  const decidedCount = state?.decided.size ?? 0
  const time = walk
    ? formatQueueTimeSpent(
        performance.now() - walk.startedAtMs,
        decidedCount - walk.decidedAtStart,
        walk.total - decidedCount,
      )
    : ''
  const kind = id === undefined ? undefined : walk?.kinds.get(id)
  const position = state && id !== undefined ? state.at + 1 : undefined
  const progress =
    walk && walk.total > 0
      ? { sections: walk.queue.sections, kind, position, done: decidedCount, total: walk.total, time }
      : undefined

  return (
    <MorningQueueFrame
      title={MORNING_QUEUE_TITLE}
      scrollKey={id ?? 'end'}
      onKey={run}
      header={
        <>
          <MorningQueueHeader progress={progress} onHelp={() => setIsHelping(true)} onLeave={leave} />
          <MorningQueueChangedNotice loadId={walk?.queue.load_id ?? null} onRestart={walking.restart} />
        </>
      }
      footer={
        progress && id !== undefined ? (
          <MorningQueueActions
            marks={marks}
            canUndo={undoMorningQueueStep(state!, getCurrentMorningQueueMarks) !== undefined}
            run={run}
          />
        ) : undefined
      }
    >
      <VisuallyHidden live>
        {announcement ||
          (row && kind && walk && position
            ? `${formatCount(position)} จาก ${formatCount(walk.total)} ${MORNING_QUEUE_KIND_LABELS[kind]} ${row.name} ${row.dept_sub_name}`
            : '') ||
          (walk && id === undefined ? 'ไล่ดูครบแล้ว' : '')}
      </VisuallyHidden>
      {!walk || !state ? (
        <MorningQueuePlaceholder task="เปิดรายการเช้านี้" query={walking} />
      ) : walk.total === 0 ? (
        <EmptyMorningQueue onLeave={leave} search={search} />
      ) : id === undefined ? (
        <MorningQueueEndScreen
          state={state}
          remaining={walk.total - state.ids.length}
          time={time}
          search={search}
          onLeave={leave}
          onUndo={() => run('undo')}
          canUndo={undoMorningQueueStep(state, (projectId) => getMorningQueueMarks(user, projectId)) !== undefined}
          onMore={walking.restart}
        />
      ) : row ? (
        <div className={MORNING_QUEUE_COLUMN_CLASSES}>
          <Swipeable
            className="sm:rounded-card"
            right={{
              icon: marks?.starred ? StarOff : Star,
              text: marks?.starred ? 'เอาดาวออก' : 'ติดดาว แล้วไปต่อ',
              run: () => {
                const isStarred = getCurrentMorningQueueMarks(row.project_id).starred
                decide.star()
                if (!isStarred) walking.next()
              },
            }}
            left={{
              icon: marks?.hidden ? Eye : EyeOff,
              text: marks?.hidden ? 'เลิกซ่อน' : 'ซ่อน แล้วไปต่อ',
              run: decide.hide,
            }}
          >
            <Card className="p-4 group-focus-visible/queue:border-accent-line max-sm:rounded-none max-sm:border-x-0 sm:p-6 sm:[&_h3]:text-lg md:[&>article>dl]:grid-cols-3">
              <ProjectFacts row={row} />
            </Card>
          </Swipeable>
          {!isDemoSession() && (
            <div className="mt-3 max-sm:px-4">
              <BlockErrorBoundary name="งานของเรา" resetKey={row.project_id} className="min-h-60">
                <PursuitPanel row={row} look="card" />
              </BlockErrorBoundary>
            </div>
          )}
          {queueRow.following && (
            <p className="mt-3 truncate px-4 text-sm text-ink-faint max-sm:pb-4">ถัดไป · {queueRow.following.name}</p>
          )}
        </div>
      ) : queueRow.hasLeftReport ? (
        <EmptyState icon={SearchX} title="โครงการนี้ไม่อยู่ในรายงานแล้ว">
          อาจไม่ตรงคำติดตามที่แก้ไปเมื่อครู่ กดถัดไปเพื่อไล่ดูต่อ
        </EmptyState>
      ) : (
        <MorningQueuePlaceholder task="เปิดโครงการ" query={queueRow} />
      )}
      {isHelping && <MorningQueueHelp onClose={() => setIsHelping(false)} />}
    </MorningQueueFrame>
  )
}

/** The clicked button or, after a shortcut, the panel, so that Space moves to the next project. */
function labelOpener(): HTMLElement | null {
  const pressed = document.activeElement?.closest<HTMLElement>('[data-label-button]')
  return pressed ?? getNamedElement('morningQueue') ?? null
}

type PursuitKey = Extract<MorningQueueAction, 'note' | 'owner' | `stage ${number}`>

const isMorningQueuePursuitAction = (key: MorningQueueAction): key is PursuitKey =>
  key === 'note' || key === 'owner' || key.startsWith('stage ')

async function runMorningQueuePursuitAction(
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

const SHORTCUTS = [
  { keys: ['J', '→', 'Space'], th: 'ดูแล้ว ไปโครงการถัดไป' },
  { keys: ['K', '←'], th: 'กลับไปดูโครงการก่อนหน้า' },
  { keys: ['B'], th: 'ติดดาวหรือเอาดาวออก' },
  { keys: ['L'], th: 'ป้ายกำกับ แล้วกด 1–9 เลือกป้าย' },
  { keys: ['X'], th: 'ซ่อน แล้วไปโครงการถัดไป' },
  { keys: ['U'], th: 'ย้อน: คืนดาว ป้าย และการซ่อนของโครงการล่าสุด (หรือ Ctrl+Z)' },
  { keys: ['C'], th: 'คัดลอกสำหรับ LINE' },
  { keys: ['N'], th: 'เขียนโน้ตถึงทีม' },
  { keys: ['O'], th: 'เลือกผู้ดูแล' },
  { keys: ['1', '–', '9'], th: 'ย้ายไปขั้นที่เท่านี้ของบอร์ด' },
  { keys: ['P'], th: 'เปิดหน้าโครงการในแท็บใหม่' },
  { keys: ['Esc'], th: 'ออก กลับมาไล่ดูต่อเมื่อไรก็ได้' },
]

function MorningQueueHelp({ onClose }: { onClose: () => void }) {
  return (
    <Modal open onClose={onClose} title="คีย์ลัดตอนไล่ดู">
      <ShortcutList entries={SHORTCUTS} className="p-4" />
      <p className="px-4 pb-4 text-sm text-ink-faint">
        กดได้ทั้งตอนที่แป้นพิมพ์เป็นไทยและอังกฤษ สิ่งที่ตัดสินใจแล้วจำไว้ให้ หยุดที่เครื่องนี้แล้วไปต่อบนมือถือได้
      </p>
    </Modal>
  )
}
