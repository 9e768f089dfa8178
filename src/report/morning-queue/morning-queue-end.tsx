import { CircleCheckBig, Eye, EyeOff, type LucideIcon, Star, Tag } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCount } from '#contract/thai/thai-number.ts'
import { Card } from '#src/ui/card.tsx'
import type { MorningQueueOutcome } from './morning-queue-state.ts'

type QueueEndProps = {
  outcome: MorningQueueOutcome
  time: string
  remaining: number
  /** Links and buttons below the outcome. The caller focuses the first one. */
  actions: ReactNode
}

export function MorningQueueEnd({ outcome, time, remaining, actions }: QueueEndProps) {
  const count = Object.values(outcome).reduce((sum, ids) => sum + ids.length, 0)
  return (
    <Card className="appear mx-auto mt-[8vh] mb-6 w-[min(520px,calc(100%-2rem))] p-6">
      <div className="flex items-center gap-3">
        <CircleCheckBig aria-hidden className="size-8 shrink-0 text-new" />
        <div>
          <h3 className="text-lg font-semibold">
            {remaining > 0 ? `ไล่ดูชุดนี้ครบ ${formatCount(count)} โครงการ` : `ไล่ดูครบ ${formatCount(count)} โครงการแล้ว`}
          </h3>
          <p className="text-ink-muted">
            {time}
            {remaining > 0 && ` · ยังมีอีก ${formatCount(remaining)} โครงการ`}
          </p>
        </div>
      </div>
      <dl className="mt-5 grid grid-cols-4 gap-2 text-center">
        <Count icon={Star} name="ติดดาว" count={outcome.starred.length} />
        <Count icon={Tag} name="ติดป้าย" count={outcome.labelled.length} />
        <Count icon={EyeOff} name="ซ่อน" count={outcome.hidden.length} />
        <Count icon={Eye} name="ดูแล้ว" count={outcome.seen.length} />
      </dl>
      <div className="mt-6 flex flex-wrap gap-2 [&>*]:max-sm:w-full">{actions}</div>
    </Card>
  )
}

function Count({ icon: Icon, name, count }: { icon: LucideIcon; name: string; count: number }) {
  return (
    <div className="flex flex-col-reverse rounded-control bg-surface-muted px-1 py-2.5">
      <dt className="flex items-center justify-center gap-1 text-sm text-ink-muted">
        <Icon aria-hidden className="size-3.5 shrink-0" />
        {name}
      </dt>
      <dd className="text-xl font-semibold tabular-nums">{formatCount(count)}</dd>
    </div>
  )
}
