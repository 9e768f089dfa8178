import { Link } from '@tanstack/react-router'
import { type ContractEnd, formatContractAmount } from '#contract/catalogue/contract-ends-list.ts'
import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { StarButton } from '#src/report/bookmarks/star-button.tsx'
import { buildBuyerFollowTargets, FollowButtons } from '#src/report/follow/follow-buttons.tsx'
import { PurchaseHistoryLines } from '#src/report/purchase-history/purchase-history-lines.tsx'

const URGENT_BELOW_DAYS = 30

type ContractRowProps = { contract: ContractEnd; isStarred: boolean }

export function EndingContractRow({ contract, isStarred }: ContractRowProps) {
  const { project_id: id, name, dept_name: department, dept_sub_name: unit, days_left: daysLeft } = contract
  return (
    <article className="grid gap-x-5 gap-y-2 px-3 py-3 md:grid-cols-[minmax(0,1fr)_minmax(0,15rem)_8.5rem] md:px-4">
      <div className="min-w-0">
        <div className="flex items-start gap-1">
          <StarButton projectId={id} name={name} isStarred={isStarred} className="-mt-0.5 -ml-1" />
          <h3 className="min-w-0 font-medium [overflow-wrap:anywhere]">
            <Link to="/report/$id" params={{ id }} className="rounded-control hover:underline">
              {name}
            </Link>
          </h3>
        </div>
        <p className="text-sm text-ink-muted">
          {[unit || department, unit && unit !== department && department, contract.province]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <div className="mt-1.5">
          <PurchaseHistoryLines history={contract.history} isListed />
        </div>
        <FollowButtons
          targets={[
            ...buildBuyerFollowTargets({ agency: department, unit, province: null }),
            { kind: 'project', key: id, name, text: 'งานนี้' },
          ]}
        />
      </div>
      <dl className="min-w-0">
        <dt className="text-xs text-ink-muted">ผู้ชนะ</dt>
        <dd className="[overflow-wrap:anywhere]">{contract.winner_name ?? 'ไม่รู้ผู้ชนะ'}</dd>
        <dt className="sr-only">ราคาตามสัญญา</dt>
        <dd className="font-semibold tabular-nums">{formatContractAmount(contract, formatBaht) ?? 'ไม่รู้ราคา'}</dd>
        <dt className="sr-only">วิธีจัดหาและเลขที่สัญญา</dt>
        <dd className="text-xs text-ink-muted [overflow-wrap:anywhere]">
          {[
            getChoiceLabel(PROCUREMENT_METHODS, contract.method),
            contract.contract_no && `สัญญา ${contract.contract_no}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </dd>
      </dl>
      <dl className="tabular-nums md:text-right">
        <dt className="text-xs text-ink-muted">สิ้นสุดสัญญา</dt>
        <dd className="font-medium">{formatThaiDateShortOrOriginal(contract.end_date)}</dd>
        <dt className="sr-only">เหลือ</dt>
        <dd className={classNames('text-sm', daysLeft <= URGENT_BELOW_DAYS ? 'text-urgent' : 'text-ink-muted')}>
          {daysLeft === 0 ? 'วันนี้' : `อีก ${daysLeft} วัน`}
        </dd>
      </dl>
    </article>
  )
}
