import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { BID_DECISIONS } from '#contract/team/pursuit.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { classNames } from '#src/lib/class-names.ts'
import { pursuitQuery } from '#src/team/api/pursuits.ts'
import {
  BID_DECISION_ICONS,
  CHOSEN_BID_DECISION_CLASSES,
  DecisionReasonField,
  getDecisionReasonLabel,
  saveDecisionReason,
} from './pursuit-decision-section.tsx'
import { toggleBidDecision } from './toggle-bid-decision.ts'

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
        {BID_DECISIONS.map(({ code, th }) => {
          const Icon = BID_DECISION_ICONS[code]
          return (
            <button
              key={code}
              type="button"
              aria-pressed={current === code}
              onClick={() => setWriting(toggleBidDecision(id, code, current) !== null)}
              className={classNames(
                'inline-flex h-11 flex-1 items-center justify-center gap-1.5 rounded-control border-2 font-medium whitespace-nowrap',
                current === code ? CHOSEN_BID_DECISION_CLASSES[code] : 'border-line-strong text-ink-muted',
              )}
            >
              <Icon aria-hidden className="size-4" />
              {th}
            </button>
          )
        })}
        {children}
      </div>
    </div>
  )
}
