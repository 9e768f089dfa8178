import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { BID_DECISIONS } from '#contract/team/pursuit.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { classNames } from '#src/lib/class-names.ts'
import { pursuitQuery } from '#src/team/api/pursuits.ts'
import { BID_DECISION_ICONS, CHOSEN_BID_DECISION_CLASSES } from './pursuit-decision-section.tsx'
import { toggleBidDecision } from './toggle-bid-decision.ts'

export function BidDecisionBar({ id, children }: { id: string; children?: ReactNode }) {
  const { data } = useQuery(useOptimisticQueryOptions(pursuitQuery(id)))
  if (!data) return null
  const current = data.pursuit?.decision ?? null
  return (
    <div
      role="group"
      aria-label="ตัดสินใจเรื่องนี้"
      data-decision-bar
      className="fixed inset-x-0 bottom-0 z-30 flex gap-2 border-t border-line bg-surface px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] md:hidden print:hidden"
    >
      {BID_DECISIONS.map(({ code, th }) => {
        const Icon = BID_DECISION_ICONS[code]
        return (
          <button
            key={code}
            type="button"
            aria-pressed={current === code}
            onClick={() => toggleBidDecision(id, code, current)}
            className={classNames(
              'inline-flex h-11 flex-1 items-center justify-center gap-2 rounded-control border-2 font-medium whitespace-nowrap',
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
  )
}
