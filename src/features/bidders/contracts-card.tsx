import type { ProjectDetail } from '#contract/project/project-detail.ts'
import { thaiDay } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyValue } from '#src/ui/empty-value.tsx'

type Contracts = ProjectDetail['contracts']

/** The contracts of a project: with whom, how much, from when to when. Says so when there is none yet. */
export function ContractsCard({ contracts, className }: { contracts: Contracts; className?: string }) {
  const known = contracts.flatMap(({ amount }) => (amount === null ? [] : [amount]))
  const isComplete = known.length === contracts.length
  const sum = known.reduce((total, amount) => total + amount, 0)
  return (
    <Card as="section" aria-label="สัญญา" className={classNames('p-5', className)}>
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 className="text-md font-semibold">สัญญา</h2>
        {contracts.length > 1 && (
          <span className="text-ink-muted tabular-nums">
            {contracts.length} ฉบับ{isComplete && ` รวม ${formatBaht(sum)} บาท`}
          </span>
        )}
      </div>
      {contracts.length === 0 ? (
        <p className="mt-1 text-ink-muted">ยังไม่มีสัญญาที่เผยแพร่ใน e-GP</p>
      ) : (
        <ul className="mt-2 divide-y divide-line">
          {contracts.map((contract, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lots may share a number, and the list never changes its order
            <li key={`${contract.contract_no} ${index}`} className="py-2.5">
              <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
                <span className="font-medium tabular-nums">{contract.contract_no || 'ไม่มีเลขที่สัญญา'}</span>
                {contract.status && <Badge>{contract.status}</Badge>}
              </p>
              {contract.winner_name && <p>{contract.winner_name}</p>}
              <dl className="mt-1 flex flex-wrap gap-x-6 gap-y-1 tabular-nums">
                <Fact name="มูลค่า (บาท)">{contract.amount === null ? <EmptyValue /> : formatBaht(contract.amount)}</Fact>
                <Fact name="วันที่ทำสัญญา">{contract.signed_date ? thaiDay(contract.signed_date) : <EmptyValue />}</Fact>
                <Fact name="วันสิ้นสุดสัญญา">{contract.end_date ? thaiDay(contract.end_date) : <EmptyValue />}</Fact>
              </dl>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-xs text-ink-muted">{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
