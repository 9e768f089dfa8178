import { useRouter } from '@tanstack/react-router'
import { Eye, EyeOff, Star, StarOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { useUser } from '#src/account/api/users.ts'
import { copyForLine } from '#src/channels/line-copy/copy-for-line.ts'
import { countText } from '#src/lib/figure-text.ts'
import { projectHref } from '#src/lib/project-address.ts'
import { reportFiltersOf } from '#src/lib/report-address.ts'
import type { ChangeReportSearch } from '#src/lib/report-change.ts'
import { ExcludeWordButton } from '#src/report/exclude-word/exclude-word-button.tsx'
import { openLabelPicker, preloadLabelPanels } from '#src/report/labels/label-panel.ts'
import { QueueActions } from '#src/report/morning-queue/queue-actions.tsx'
import { QueueFrame } from '#src/report/morning-queue/queue-frame.tsx'
import { QUEUE_KIND_LABELS, QUEUE_TITLE, QueueHeader, timeSpentText } from '#src/report/morning-queue/queue-header.tsx'
import { QueueHelp } from '#src/report/morning-queue/queue-help.tsx'
import type { QueueKey, ShortcutReader } from '#src/report/morning-queue/queue-keys.ts'
import { canUndo, currentProjectId } from '#src/report/morning-queue/queue-state.ts'
import { ProjectFacts } from '#src/report/project-row/project-facts.tsx'
import { latinLetterOf, shortcutOf } from '#src/shell/shortcuts/shortcut-keys.ts'
import { areSingleKeyShortcutsEnabled } from '#src/shell/shortcuts/shortcut-setting.ts'
import { Card } from '#src/ui/card.tsx'
import { Swipeable } from '#src/ui/swipe/swipeable.tsx'
import { VisuallyHidden } from '#src/ui/visually-hidden.tsx'
import { currentMarksOf, hideInQueue, starInQueue } from './queue-marks.ts'
import { closeQueue } from './queue-navigation.ts'
import { isPursuitKey, QueuePursuit, runPursuitKey } from './queue-pursuit.tsx'
import { ReportQueueEnd } from './report-queue-end.tsx'
import {
  EmptyQueue,
  QUEUE_COLUMN_CLASSES,
  QueueChangedNotice,
  QueuePlaceholder,
  QueueRowPlaceholder,
} from './report-queue-states.tsx'
import { useQueueRow, useQueueWalk } from './use-queue-walk.ts'

const KEYS: ShortcutReader = {
  shortcutOf: (press) => shortcutOf(press, areSingleKeyShortcutsEnabled()),
  letterOf: latinLetterOf,
  single: areSingleKeyShortcutsEnabled,
}
const START_BUTTON = '[data-queue-start]'

type ReportQueueProps = { search: ReportSearch; change: ChangeReportSearch }

/** The morning queue (N10): one project at a time; the user decides by key, button or swipe. */
export function ReportQueue({ search, change }: ReportQueueProps) {
  const { history } = useRouter()
  const user = useUser()
  const walking = useQueueWalk(search)
  const { walk, state } = walking
  const queueRow = useQueueRow(state)
  const [isHelping, setIsHelping] = useState(false)
  const [announcement, setAnnouncement] = useState('')
  useEffect(preloadLabelPanels, [])
  const id = state && currentProjectId(state)
  const { row } = queueRow
  const marks = id === undefined ? undefined : userMarksOf(user, id)
  const leave = () => closeQueue(change, history)

  const decide = {
    star: () => id !== undefined && starInQueue(id, !currentMarksOf(id).starred),
    hide: () => {
      if (id === undefined) return
      const isHidden = currentMarksOf(id).hidden
      hideInQueue(id, !isHidden)
      if (!isHidden) walking.next()
    },
  }
  const run = (key: QueueKey) => {
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
      const on = !currentMarksOf(id).starred
      decide.star()
      return setAnnouncement(on ? 'ติดดาวแล้ว' : 'เอาดาวออกแล้ว')
    }
    if (key === 'labels') return openLabelPicker([id], labelOpener())
    if (isPursuitKey(key)) return void runPursuitKey(key, id, setAnnouncement)
    if (key === 'open')
      return void window.open(projectHref(id, { from: reportFiltersOf(search) }), '_blank', 'noopener')
    if (row) void copyForLine([row])
  }

  const decidedCount = state?.decided.size ?? 0
  const time = walk
    ? timeSpentText(performance.now() - walk.startedAtMs, decidedCount - walk.decidedAtStart, walk.total - decidedCount)
    : ''
  const kind = id === undefined ? undefined : walk?.kinds.get(id)
  const progress = walk &&
    state &&
    walk.total > 0 && {
      sections: walk.queue.sections,
      kind,
      position: id === undefined ? undefined : state.at + 1,
      done: decidedCount,
      total: walk.total,
      time,
    }
  const positionText = id === undefined ? '' : `${countText((state?.at ?? 0) + 1)} จาก ${countText(walk?.total ?? 0)}`

  return (
    <QueueFrame
      title={QUEUE_TITLE}
      scrollKey={id ?? 'end'}
      keys={KEYS}
      onKey={run}
      returnFocusTo={START_BUTTON}
      header={
        <>
          <QueueHeader progress={progress || undefined} onHelp={() => setIsHelping(true)} onLeave={leave} />
          <QueueChangedNotice loadId={walk?.queue.load_id ?? null} onRestart={walking.restart} />
        </>
      }
      footer={
        progress && id !== undefined ? (
          <QueueActions marks={marks} canUndo={canUndo(state!, currentMarksOf)} run={run} />
        ) : undefined
      }
    >
      <VisuallyHidden live>
        {announcement ||
          (row && kind ? `${positionText} ${QUEUE_KIND_LABELS[kind]} ${row.name} ${row.dept_sub_name}` : '') ||
          (walk && id === undefined ? 'ไล่ดูครบแล้ว' : '')}
      </VisuallyHidden>
      {!walk || !state ? (
        <QueuePlaceholder walking={walking} />
      ) : walk.total === 0 ? (
        <EmptyQueue onLeave={leave} search={search} />
      ) : id === undefined ? (
        <ReportQueueEnd
          state={state}
          remaining={walk.total - state.ids.length}
          time={time}
          search={search}
          onLeave={leave}
          onUndo={() => run('undo')}
          canUndo={canUndo(state, currentMarksOf)}
          onMore={walking.restart}
        />
      ) : row ? (
        <div className={QUEUE_COLUMN_CLASSES}>
          <Swipeable
            className="sm:rounded-card"
            right={{
              icon: marks?.starred ? StarOff : Star,
              text: marks?.starred ? 'เอาดาวออก' : 'ติดดาว แล้วไปต่อ',
              run: () => {
                const isStarred = currentMarksOf(row.project_id).starred
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
              <ProjectFacts row={row} afterReasons={<ExcludeWordButton row={row} />} />
            </Card>
          </Swipeable>
          <QueuePursuit row={row} />
          {queueRow.following && (
            <p className="mt-3 truncate px-4 text-sm text-ink-faint max-sm:pb-4">ถัดไป · {queueRow.following.name}</p>
          )}
        </div>
      ) : (
        <QueueRowPlaceholder queueRow={queueRow} />
      )}
      {isHelping && <QueueHelp onClose={() => setIsHelping(false)} />}
    </QueueFrame>
  )
}

function userMarksOf(user: ReturnType<typeof useUser>, id: string) {
  return {
    starred: user.project_bookmark.includes(id),
    hidden: user.project_hidden.includes(id),
    labels: user.project_label_assignments[id] ?? [],
  }
}

/**
 * Focus target after labelling: the clicked button, or after a shortcut the panel, so that Space continues the walk.
 */
function labelOpener(): HTMLElement | null {
  const pressed = document.activeElement?.closest<HTMLElement>('[data-label-button]')
  return pressed ?? document.querySelector<HTMLElement>('[data-morning-queue]')
}
