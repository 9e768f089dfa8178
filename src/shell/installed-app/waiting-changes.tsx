import { CloudUpload, History } from 'lucide-react'
import { useId, useState, useSyncExternalStore } from 'react'
import { connection } from '#src/api/http/connection.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { waitingChanges } from '#src/api/offline/waiting-changes.ts'
import { watchChanges } from '#src/api/optimistic.ts'
import { countText } from '#src/lib/money-text.ts'
import { thaiInstantShort } from '#src/lib/thai-day.ts'
import { StatusLine } from '#src/ui/status-line.tsx'
import { changeText } from './change-text.ts'

/** Maximum listed changes. Starring a selection of 500 projects counts as one change. */
const MOST_NAMED = 20

/** Excludes changes in flight that are likely confirmed within moments. */
const isWaiting = ({ mutation }: ReturnType<typeof waitingChanges>[number]) =>
  mutation.state.failureCount > 0 || mutation.state.isPaused || connection.get().state !== 'up'

type Said = {
  readonly time: string | undefined
  readonly changes: readonly string[]
}

function whatToSay(): string {
  const { state } = connection.get()
  const isDown = state !== 'up' && state !== 'back' && state !== 'limited'
  const said: Said = {
    time: isDown ? answerTime(new Date()) : undefined,
    changes: waitingChanges().filter(isWaiting).map(changeText),
  }
  return JSON.stringify(said)
}

function answerTime(now: Date): string | undefined {
  const answers = queryClient
    .getQueryCache()
    .findAll({ type: 'active', predicate: ({ state }) => state.dataUpdatedAt > 0 })
    .map(({ state }) => state.dataUpdatedAt)
  return answers.length === 0 ? undefined : timeText(new Date(Math.min(...answers)), now)
}

/** `08:12 น.` for today, else with the date: `25 พ.ย. 08:12 น.` */
export function timeText(at: Date, now: Date): string {
  const [text, today] = [at, now].map((moment) => thaiInstantShort(moment.toISOString(), now))
  const time = /\d\d:\d\d น\.$/
  return text!.replace(time, '') === today!.replace(time, '') ? text!.slice(text!.search(time)) : text!
}

function watchAll(tell: () => void): () => void {
  const stops = [watchChanges(tell), connection.subscribe(tell), queryClient.getQueryCache().subscribe(tell)]
  return () => {
    for (const stop of stops) stop()
  }
}

/**
 * Shown below the offline notice: the data's age, the number of pending changes and, on click, their list. They are
 * sent automatically once online.
 */
export function WaitingChanges({ isKept }: { isKept: boolean }) {
  const { time, changes } = JSON.parse(useSyncExternalStore(watchAll, whatToSay)) as Said
  const [isOpen, setIsOpen] = useState(false)
  const list = useId()
  const words = [
    ...(time === undefined ? [] : [`ข้อมูลเมื่อ ${time}`]),
    ...(changes.length === 0 ? [] : [`รอส่ง ${countText(changes.length)} รายการ`]),
  ]
  return (
    <div role="status" className="print:hidden">
      {words.length > 0 && (
        <StatusLine calm icon={changes.length > 0 ? CloudUpload : History} words={words.join(' · ')}>
          {changes.length > 0 && (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={list}
              onClick={() => setIsOpen(!isOpen)}
              className="min-h-6 rounded-control px-2 font-medium underline underline-offset-2 hover:no-underline touch:min-h-11"
            >
              {isOpen ? 'ซ่อนรายการ' : 'ดูรายการ'}
            </button>
          )}
        </StatusLine>
      )}
      {changes.length > 0 && (
        <div id={list} hidden={!isOpen} className="border-b border-line bg-surface px-4 py-2 text-sm">
          <ul className="mx-auto max-w-2xl space-y-1">
            {changes.slice(0, MOST_NAMED).map((text, index) => (
              // Two changes may have the same text, so the key includes the index.
              // biome-ignore lint/suspicious/noArrayIndexKey: the index is the identity here
              <li key={`${index} ${text}`} className="line-clamp-2">
                {text}
              </li>
            ))}
          </ul>
          <p className="mx-auto mt-1 max-w-2xl text-xs text-ink-muted">
            {changes.length > MOST_NAMED && `และอีก ${countText(changes.length - MOST_NAMED)} รายการ `}
            {isKept
              ? 'เก็บไว้ในเครื่องนี้ ปิดแอปได้ ระบบจะส่งให้ตามลำดับเมื่อกลับมาเชื่อมต่อ'
              : 'ระบบจะส่งให้ตามลำดับเมื่อกลับมาเชื่อมต่อ อย่าเพิ่งปิดหน้านี้'}
          </p>
        </div>
      )}
    </div>
  )
}
