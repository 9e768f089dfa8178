import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { findPursuitStage } from '#contract/account/pursuit-settings.ts'
import { BID_DECISIONS, type BidDecision, MAX_DECISION_REASON_LENGTH } from '#contract/team/pursuit.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getServerTime } from '#src/lib/session-store.ts'
import { formatShortThaiDateTime } from '#src/lib/thai-date-time.ts'
import { patchPursuit } from '#src/team/api/pursuit-patches.ts'
import { pursuitQuery } from '#src/team/api/pursuits.ts'
import { Button } from '#src/ui/button.tsx'
import { createEntryKeyHandler } from '#src/ui/form/entry-key-handler.ts'
import { TextArea } from '#src/ui/form/text-area.tsx'
import type { PursuitSectionProps } from './pursuit-section-props.ts'

export function PursuitDecisionSection({ id, detail: { pursuit }, settings }: PursuitSectionProps) {
  const [form, setForm] = useState<'decided' | 'editing'>()
  const decision = pursuit?.decision ?? null
  const isLost = pursuit !== null && findPursuitStage(settings.stages, pursuit.stage)?.kind === 'lost'
  const reason = isLost ? pursuit.lost_reason : (pursuit?.reason ?? null)
  const save = (text: string) => {
    setForm(undefined)
    if ((text || null) === reason || pursuit === null) return
    if (isLost) {
      const action = { action: 'set_stage', stage: pursuit.stage, reason: text } as const
      void patchPursuit(id, [action], { failed: REASON_NOT_SAVED })
    } else saveDecisionReason(id, pursuit.decision, text)
  }
  const decider = settings.members.find((member) => member.id === pursuit?.decided_by)
  return (
    <div data-bid-decision>
      <div role="group" aria-label="ตัดสินใจ" className="grid grid-cols-2 gap-2">
        <BidDecisionButtons
          id={id}
          current={decision}
          onToggle={(next) => setForm(next === null ? undefined : 'decided')}
          className="h-9 not-aria-pressed:hover:bg-surface-muted touch:h-11"
        />
      </div>
      {form ? (
        <DecisionReasonField
          key={decision}
          label={isLost ? 'เหตุผลที่แพ้' : getDecisionReasonLabel(decision)}
          takesFocus={form === 'editing' || decision === 'no_bid'}
          reason={reason ?? ''}
          onDone={save}
        />
      ) : (
        <>
          {reason !== null && <p className="mt-2 wrap-anywhere">{isLost ? `แพ้เพราะ ${reason}` : reason}</p>}
          {(decision !== null || isLost) && (
            <p className="mt-0.5 flex flex-wrap items-center text-sm text-ink-muted">
              {pursuit?.decided_at &&
                `${decider?.name ?? 'เพื่อนร่วมงาน'} ตัดสินใจ ${formatShortThaiDateTime(pursuit.decided_at, getServerTime())}`}
              <Button variant="link" size="sm" onClick={() => setForm('editing')}>
                {reason === null ? 'ใส่เหตุผล' : 'แก้เหตุผล'}
              </Button>
            </p>
          )}
        </>
      )}
    </div>
  )
}

export function BidDecisionBar({ id, children }: { id: string; children?: ReactNode }) {
  const { data } = useQuery(useOptimisticQueryOptions(pursuitQuery(id)))
  const [isWriting, setWriting] = useState(false)
  if (!data) return null
  const current = data.pursuit?.decision ?? null
  const reason = data.pursuit?.reason ?? ''
  return (
    <div
      role="group"
      aria-label="ตัดสินใจเรื่องนี้"
      data-decision-bar
      data-bid-decision
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] md:hidden print:hidden"
    >
      {isWriting && current !== null && (
        <div className="mb-2">
          <DecisionReasonField
            key={current}
            label={getDecisionReasonLabel(current)}
            reason={reason}
            takesFocus={current === 'no_bid'}
            onDone={(text) => {
              setWriting(false)
              if (text !== reason) saveDecisionReason(id, current, text)
            }}
          />
        </div>
      )}
      <div className="flex gap-2">
        <BidDecisionButtons
          id={id}
          current={current}
          onToggle={(next) => setWriting(next !== null)}
          className="h-11 flex-1"
        />
        {children}
      </div>
    </div>
  )
}

const ICONS = { bid: CircleCheck, no_bid: CircleX } as const
const CHOSEN_CLASSES = {
  bid: 'border-accent bg-accent-soft text-accent-ink',
  no_bid: 'border-urgent bg-urgent-soft text-urgent',
} as const

type BidDecisionButtonsProps = {
  id: string
  current: BidDecision | null
  onToggle: (next: BidDecision | null) => void
  className: string
}

function BidDecisionButtons({ id, current, onToggle, className }: BidDecisionButtonsProps) {
  return BID_DECISIONS.map(({ code, th }) => {
    const Icon = ICONS[code]
    const toggle = () => {
      const decision = current === code ? null : code
      void patchPursuit(id, [{ action: 'decide', decision }], {
        failed: 'บันทึกการตัดสินใจไม่สำเร็จ',
        done: decision === null ? 'ยกเลิกการตัดสินใจแล้ว' : `ตัดสินใจ${th}แล้ว`,
      })
      onToggle(decision)
    }
    return (
      <button
        key={code}
        type="button"
        aria-pressed={current === code}
        onClick={toggle}
        className={classNames(
          'inline-flex items-center justify-center gap-1.5 rounded-control border-2 font-medium whitespace-nowrap',
          current === code ? CHOSEN_CLASSES[code] : 'border-line-strong text-ink-muted',
          className,
        )}
      >
        <Icon aria-hidden className="size-4" />
        {th}
      </button>
    )
  })
}

const REASON_NOT_SAVED = 'บันทึกเหตุผลไม่สำเร็จ'

const getDecisionReasonLabel = (decision: BidDecision | null): string =>
  decision === 'no_bid' ? 'เหตุผลที่ไม่ยื่น' : 'เหตุผลที่ยื่น'

function saveDecisionReason(id: string, decision: BidDecision | null, reason: string): void {
  void patchPursuit(id, [{ action: 'decide', decision, reason }], { failed: REASON_NOT_SAVED })
}

type ReasonFieldProps = {
  label: string
  reason: string
  /** False after a decision to bid, which most users leave without a reason: their keys go on to the next project. */
  takesFocus: boolean
  onDone: (text: string) => void
}

function DecisionReasonField({ label, reason, takesFocus, onDone }: ReasonFieldProps) {
  const { register, handleSubmit } = useForm({ defaultValues: { reason } })
  const form = useRef<HTMLFormElement>(null)
  const finish = (text: string) => {
    // The form unmounts, so move the focus to the decision that it belongs to.
    form.current?.closest('[data-bid-decision]')?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus()
    onDone(text)
  }
  const submit = handleSubmit((values) => finish(values.reason.trim()))
  return (
    <form ref={form} className="mt-2 flex flex-col gap-2" onSubmit={(event) => void submit(event)}>
      <TextArea
        aria-label={label}
        placeholder={`${label} (ไม่บังคับ)`}
        rows={2}
        maxLength={MAX_DECISION_REASON_LENGTH}
        autoFocus={takesFocus}
        {...register('reason')}
        onKeyDown={createEntryKeyHandler({
          onEnter: (event) => void submit(event),
          onEscape: () => finish(reason),
          isMultiline: true,
        })}
      />
      <div className="flex gap-2">
        <Button type="submit" size="sm">
          บันทึกเหตุผล
        </Button>
        <Button variant="quiet" size="sm" onClick={() => finish(reason)}>
          ไม่ใส่ตอนนี้
        </Button>
      </div>
    </form>
  )
}
