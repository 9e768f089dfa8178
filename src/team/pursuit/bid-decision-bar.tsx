import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { pursuitQuery } from '#src/team/api/pursuits.ts'
import {
  BidDecisionButtons,
  DecisionReasonField,
  getDecisionReasonLabel,
  saveDecisionReason,
} from './pursuit-decision-section.tsx'

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
