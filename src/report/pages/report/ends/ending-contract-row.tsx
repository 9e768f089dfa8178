import { TextButton } from '#src/ui/text-button.tsx'
import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useId, useState } from 'react'
import { type ContractEnd, formatContractAmount } from '#contract/catalogue/contract-ends-list.ts'
import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { MIN_PURCHASES_FOR_SEASON } from '#contract/catalogue/purchase-history.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { StarButton } from '#src/report/bookmarks/star-button.tsx'
import { FollowProjectBell } from '#src/report/follow/follow-buttons.tsx'
import { PurchaseHistoryLines, summarizePurchaseHistory } from '#src/report/purchase-history/purchase-history-lines.tsx'

/** A renewal takes months to prepare, so it is urgent much earlier than a bid (`getDeadlineUrgency`). */
const URGENT_BELOW_DAYS = 30
const CELL = 'px-2 py-2 align-top max-md:block max-md:px-0 max-md:py-0.5'

export function EndingContractRows({ contract, isStarred }: { contract: ContractEnd; isStarred: boolean }) {
  const { project_id: id, name, dept_name: department, dept_sub_name: unit, days_left: daysLeft, history } = contract
  const [isOpen, setOpen] = useState(false)
  const details = useId()
  const hasHistory = history.rhythm.n >= MIN_PURCHASES_FOR_SEASON || history.decided > 0 || history.earlier.length > 0
  return (
    <>
      <tr className="border-t border-line max-md:relative max-md:block max-md:px-3 max-md:py-2">
        <td className={classNames(CELL, 'w-9 max-md:absolute max-md:top-1.5 max-md:left-1')}>
          <StarButton projectId={id} name={name} isStarred={isStarred} className="-my-1" />
        </td>
        <th scope="row" className={classNames(CELL, 'min-w-0 text-left font-normal max-md:pr-9! max-md:pl-8!')}>
          <Link
            to="/report/$id"
            params={{ id }}
            title={name}
            className="line-clamp-2 rounded-control font-medium [overflow-wrap:anywhere] hover:underline"
          >
            {name}
          </Link>
          <span className="block text-xs text-ink-muted">{joinParts(unit || department, contract.province)}</span>
          {hasHistory && (
            <TextButton
              aria-expanded={isOpen}
              aria-controls={details}
              onClick={() => setOpen(!isOpen)}
              className="inline-flex max-w-full items-center gap-1 text-xs print:hidden"
            >
              <ChevronDown aria-hidden className={classNames('size-3.5 shrink-0', isOpen && 'rotate-180')} />
              <span className="truncate">{summarizePurchaseHistory(history) ?? 'ประวัติการซื้อ'}</span>
            </TextButton>
          )}
        </th>
        <td className={classNames(CELL, 'max-md:pl-8!')}>
          <span className="line-clamp-2 [overflow-wrap:anywhere]" title={contract.winner_name ?? undefined}>
            {contract.winner_name ?? 'ไม่รู้ผู้ชนะ'}
          </span>
          <span className="block text-xs text-ink-muted [overflow-wrap:anywhere]">
            {joinParts(
              getChoiceLabel(PROCUREMENT_METHODS, contract.method),
              contract.contract_no && `สัญญา ${contract.contract_no}`,
            )}
          </span>
        </td>
        <td className={classNames(CELL, 'tabular-nums md:text-right max-md:pl-8!')}>
          {formatContractAmount(contract, formatBaht) ?? 'ไม่รู้ราคา'}
        </td>
        <td className={classNames(CELL, 'whitespace-nowrap tabular-nums max-md:pl-8!')}>
          {formatThaiDateShortOrOriginal(contract.end_date)}{' '}
          <span
            className={classNames(
              'text-xs md:block',
              daysLeft <= URGENT_BELOW_DAYS ? 'font-medium text-urgent' : 'text-ink-muted',
            )}
          >
            {daysLeft === 0 ? 'วันนี้' : `อีก ${daysLeft} วัน`}
          </span>
        </td>
        <td className={classNames(CELL, 'w-10 max-md:absolute max-md:top-1.5 max-md:right-1')}>
          <FollowProjectBell projectId={id} name={name} />
        </td>
      </tr>
      {isOpen && (
        <tr id={details} className="max-md:block max-md:px-3 max-md:pb-2">
          <td className="max-md:hidden" />
          <td colSpan={5} className="px-2 pb-2.5 max-md:block max-md:pr-0 max-md:pl-8">
            <PurchaseHistoryLines history={history} isListed isOpenAtFirst />
          </td>
        </tr>
      )}
    </>
  )
}
