import { rescue } from '#src/features/exclusion-ledger/rescue.ts'
import { WhyNot } from '#src/features/why-not/why-not.tsx'
import type { ChangeWatch } from './use-watch-address.ts'
import type { WatchAddress } from './watch-address.ts'

type WhyTabProps = { address: WatchAddress; change: ChangeWatch; locked: boolean; canRescue: boolean }

/** Why one project is or is not in the report, and what to do about it. */
export function WhyTab({ address, change, locked, canRescue }: WhyTabProps) {
  return (
    <WhyNot
      id={address.project}
      onChange={(project) => change({ project })}
      onRescue={(id) => rescue([id], true)}
      onAddWord={(word) => change({ tab: 'rules', list: 'include', word })}
      locked={locked}
      canRescue={canRescue}
    />
  )
}
