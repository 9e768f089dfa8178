import { useQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import { Fragment } from 'react'
import type { ReportRow } from '#contract/report/report.ts'
import { pursuitSettingsQuery } from '#src/account/api/pursuit-settings.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { classNames } from '#src/lib/class-names.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { MemberAvatar } from '#src/report/pursuit/member-avatar.tsx'
import { ProjectViewers } from '#src/report/pursuit/project-viewers.tsx'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { pursuitQuery } from '#src/team/api/pursuits.ts'
import { combineQueries } from '#src/ui/combine-queries.ts'
import { Listbox } from '#src/ui/form/listbox.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { PursuitChecklist } from './pursuit-checklist.tsx'
import { PursuitDecisionSection } from './pursuit-decision-section.tsx'
import { PursuitHistorySection } from './pursuit-history-section.tsx'
import { PursuitNotesSection } from './pursuit-notes-section.tsx'
import { PursuitPriceSection } from './pursuit-price-part.tsx'
import type { PursuitSectionProps } from './pursuit-section-props.ts'

type PursuitBlockProps = {
  row: Pick<ReportRow, 'project_id' | 'estimate_budget'>
  look: 'card' | 'plain'
  onComparePrice?: (baht: number) => void
}

/** Shared by the project page and the peek panel. The demo has no team, so callers check before rendering it. */
export function PursuitPanel({ row, look, onComparePrice }: PursuitBlockProps) {
  const { project_id: id } = row
  const settings = useQuery(pursuitSettingsQuery)
  const detail = useQuery(useOptimisticQueryOptions(pursuitQuery(id)))
  const forbidden = (
    <p className="flex items-center gap-2 text-sm text-ink-muted">
      <Lock aria-hidden className="size-4 shrink-0 text-ink-faint" />
      บัญชีของคุณไม่ได้ใช้ส่วนนี้กับโครงการนี้
    </p>
  )
  return (
    <section
      aria-label="งานของเรา"
      className={classNames(
        'print:hidden',
        look === 'card'
          ? 'rounded-card border border-line bg-surface px-5 pt-4 pb-4'
          : 'mt-4 border-t border-line pt-3',
      )}
    >
      <h2 className="mb-2 text-md font-semibold">งานของเรา</h2>
      <QueryView
        query={combineQueries({ detail, settings })}
        task="เปิดงานของเรา"
        forbidden={forbidden}
        notFound={forbidden}
        barsClassName="flex flex-col gap-3"
        bars={['h-9', 'h-9', 'w-2/3']}
      >
        {({ detail, settings }) => {
          const props = { id, detail, settings }
          return (
            <Fragment key={id}>
              <PursuitDecisionSection {...props} />
              {!detail.pursuit && (
                <p className="mt-2 text-sm text-ink-muted">ตัดสินใจ หรือเลือกขั้นกับผู้ดูแล แล้วงานจะขึ้นบอร์ดของทีม</p>
              )}
              <PursuitStageSection {...props} />
              <PursuitNotesSection {...props} />
              {detail.pursuit && (
                <>
                  <PursuitPriceSection {...props} estimate={row.estimate_budget} onCompare={onComparePrice} />
                  <PursuitChecklist {...props} />
                </>
              )}
              {detail.history.length > 0 && <PursuitHistorySection {...props} />}
            </Fragment>
          )
        }}
      </QueryView>
      <ProjectViewers projectId={id} />
    </section>
  )
}

const NO_OWNER = 0
const NO_STAGE = ''

function PursuitStageSection({ id, detail: { pursuit }, settings }: PursuitSectionProps) {
  const { members, stages } = settings
  const owner = members.find((member) => member.id === pursuit?.owner)
  const owners = [
    { value: NO_OWNER, th: 'ยังไม่มีผู้ดูแล' },
    ...members
      .filter((member) => !member.is_disabled || member.id === owner?.id)
      .map(({ id: value, name, is_disabled }) => ({ value, th: name, disabled: is_disabled })),
  ]
  const choices = [
    ...(pursuit ? [] : [{ value: NO_STAGE, th: 'ยังไม่อยู่บนบอร์ด', disabled: true }]),
    ...stages.map((stage) => ({ value: stage.id, th: stage.name })),
  ]
  const setOwner = (value: number) => {
    const next = value === NO_OWNER ? null : value
    if (next === (pursuit?.owner ?? null)) return
    const name = members.find((member) => member.id === next)?.name
    void patchPursuit(id, [{ action: 'set_owner', owner: next }], {
      failed: 'เปลี่ยนผู้ดูแลไม่สำเร็จ',
      done: name ? `${name} ดูแลงานนี้แล้ว` : 'งานนี้ไม่มีผู้ดูแลแล้ว',
    })
  }
  const setStage = (value: string) => {
    if (value === pursuit?.stage || value === NO_STAGE) return
    void patchPursuit(id, [{ action: 'set_stage', stage: value }], {
      failed: 'ย้ายขั้นไม่สำเร็จ',
      done: `ย้ายไป “${stages.find((stage) => stage.id === value)?.name}” แล้ว`,
    })
  }
  return (
    <div className="mt-3 grid grid-cols-2 gap-2">
      <div className="flex min-w-0 items-center gap-2">
        <MemberAvatar member={owner} size="md" />
        <Listbox
          label="ผู้ดูแล"
          value={owner?.id ?? NO_OWNER}
          options={owners}
          buttonRef={nameElement('pursuitOwner')}
          onChange={setOwner}
          className="h-9 w-full touch:h-11"
        />
      </div>
      <Listbox
        label="ขั้น"
        value={pursuit?.stage ?? NO_STAGE}
        options={choices}
        onChange={setStage}
        className="h-9 w-full touch:h-11"
      />
    </div>
  )
}
