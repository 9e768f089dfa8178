import type { ProjectDetail } from '#contract/project/project-detail.ts'
import { BiddersCard } from './bidders-card.tsx'
import { ContractsCard } from './contracts-card.tsx'

/** Who offered what, and what was signed. */
export function BiddersPanel({ detail }: { detail: ProjectDetail }) {
  return (
    <>
      <BiddersCard detail={detail} />
      {detail.contracts.length > 0 && <ContractsCard contracts={detail.contracts} />}
    </>
  )
}
