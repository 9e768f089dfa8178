import { ExclusionLedger } from '#src/features/exclusion-ledger/exclusion-ledger.tsx'
import type { ChangeWatch } from './use-watch-address.ts'
import type { WatchAddress } from './watch-address.ts'

type HiddenTabProps = { address: WatchAddress; change: ChangeWatch; canRescue: boolean }

/** What exclusion words keep out of the report. */
export function HiddenTab({ address, change, canRescue }: HiddenTabProps) {
  return <ExclusionLedger {...address.ledger} onChange={(ledger) => change({ ledger })} canRescue={canRescue} />
}
