import { findPursuitStage, type PursuitSettings } from '#contract/account/pursuit-settings.ts'
import { applyPursuitActions } from '#contract/team/apply-pursuit-action.ts'
import { BID_DECISIONS, type Pursuit, type PursuitList } from '#contract/team/pursuit.ts'
import { getPursuitSnapshot } from '#contract/team/pursuit-conflict.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { usePursuitSettings } from '#src/account/api/pursuit-settings.ts'
import { pursuitKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { runOptimisticChange } from '#src/api/optimistic-changes.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { formatShortThaiDateTime } from '#src/lib/thai-date-time.ts'
import { pursuitMutation } from '#src/team/api/pursuit-patches.ts'
import { Button } from '#src/ui/button.tsx'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { closePursuitConflict, type PursuitConflict } from './pursuit-conflict-store.ts'
import { describePursuitEvent } from './pursuit-history-section.tsx'

export function PursuitConflictDialog({ conflict }: { conflict: PursuitConflict }) {
  const { data: settings } = usePursuitSettings(true)
  if (!settings) return null
  const { change, current, failed } = conflict
  const { pursuit: ours } = applyPursuitActions(current, change.actions, change.context)
  const [team, mine] = [linesOf(current.pursuit, settings), linesOf(ours, settings)]
  const [last] = current.history
  const author = settings.members.find(({ id }) => id === last?.by)?.name ?? 'เพื่อนร่วมทีม'
  const close = () => {
    queryClient.setQueryData(pursuitKeys.detail(change.id), current)
    void queryClient.invalidateQueries({ queryKey: pursuitKeys.lists })
    closePursuitConflict(conflict)
  }
  const replace = () => {
    close()
    const retry = { ...change, seen: getPursuitSnapshot(current.pursuit, change.actions) }
    const message = { failed, done: 'ใช้ของคุณแทนแล้ว' }
    runOptimisticChange(pursuitMutation, retry, { message }).catch(() => undefined)
  }
  return (
    <Modal
      open
      onClose={close}
      title="มีคนในทีมแก้งานนี้ไปก่อนแล้ว"
      description={nameOf(change.id)}
      footer={
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={close}>คงของทีมไว้</Button>
          <Button variant="primary" onClick={replace}>
            ใช้ของฉันแทน
          </Button>
        </div>
      }
    >
      <div className="grid gap-4 p-4 sm:grid-cols-2">
        <Side
          title="ของทีมตอนนี้"
          note={
            last &&
            `${author} ${describePursuitEvent(last, settings.members)} ${formatShortThaiDateTime(last.at, getServerTime())}`
          }
          lines={team}
          otherLines={mine}
        />
        <Side
          title="ของคุณ"
          note={`ทำไว้ ${formatShortThaiDateTime(change.context.at, getServerTime())}`}
          lines={mine}
          otherLines={team}
        />
      </div>
    </Modal>
  )
}

type Line = readonly [name: string, value: string]
type SideProps = { title: string; note: string | undefined; lines: readonly Line[]; otherLines: readonly Line[] }

function Side({ title, note, lines, otherLines }: SideProps) {
  return (
    <section aria-label={title} className="rounded-card border border-line p-3">
      <h3 className="font-semibold">{title}</h3>
      {note && <p className="text-xs text-ink-muted">{note}</p>}
      <dl className="mt-2 space-y-1 text-sm">
        {lines.map(([name, value], index) => (
          <div key={name}>
            <dt className="text-xs text-ink-muted">{name}</dt>
            <dd className={value === otherLines[index]?.[1] ? 'text-ink-muted' : 'font-medium'}>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function linesOf(pursuit: Pursuit | null, { stages, members, sees_price }: PursuitSettings): Line[] {
  if (pursuit === null) return [['ขั้น', 'ไม่อยู่บนบอร์ด']]
  const decision = BID_DECISIONS.find(({ code }) => code === pursuit.decision)?.th ?? 'ยังไม่ตัดสินใจ'
  const owner = members.find(({ id }) => id === pursuit.owner)?.name ?? 'ไม่มีผู้ดูแล'
  return [
    ['ขั้น', findPursuitStage(stages, pursuit.stage)?.name ?? pursuit.stage],
    ['ตัดสินใจ', decision],
    ['เหตุผล', pursuit.lost_reason ?? pursuit.reason ?? '–'],
    ['ผู้ดูแล', owner],
    ...(sees_price ? [['ราคาของเรา', pursuit.price === null ? '–' : `${formatBaht(pursuit.price)} บาท`] as const] : []),
    ['รายการเอกสาร', pursuit.checklist.map(({ text }) => text).join(', ') || '–'],
  ]
}

const nameOf = (id: string): string =>
  queryClient
    .getQueriesData<PursuitList>({ queryKey: pursuitKeys.lists })
    .flatMap(([, list]) => list?.results ?? [])
    .find(({ project_id }) => project_id === id)?.name ?? `โครงการเลขที่ ${id}`
