import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown, FileClock, Table2 } from 'lucide-react'
import { useId, useState } from 'react'
import { CONTRACT_END_PRESET_DAYS } from '#contract/catalogue/contract-end.ts'
import {
  type ContractEnds as Answer,
  type ContractEnd,
  DEFAULT_CONTRACT_END_DAYS,
  formatContractAmount,
} from '#contract/catalogue/contract-ends-list.ts'
import { getChoiceLabel, PROCUREMENT_METHODS } from '#contract/catalogue/project.ts'
import { MIN_PURCHASES_FOR_SEASON } from '#contract/catalogue/purchase-history.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { formatThaiDateShortOrOriginal, THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { formatBaht, formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { useUser } from '#src/account/api/users.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/doubtful-amounts-note.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { contractEndsQuery } from '#src/report/api/contract-ends.ts'
import { StarButton } from '#src/report/bookmarks/star-button.tsx'
import { FollowProjectBell } from '#src/report/follow/follow-buttons.tsx'
import { ForbiddenReport } from '#src/report/pages/report/states/empty-report.tsx'
import { PurchaseHistoryLines, summarizePurchaseHistory } from '#src/report/purchase-history/purchase-history-lines.tsx'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyCard } from '#src/ui/empty-card.tsx'
import { PageSteps } from '#src/ui/page-steps.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { TextButton } from '#src/ui/text-button.tsx'

const MAX_OFFERED_DAYS = 730

export function ContractEndsView({ search, change }: { search: ReportSearch; change: ChangeReportSearchFn }) {
  const contractEnds = useQuery(contractEndsQuery(search))
  const { data, isPlaceholderData } = contractEnds
  const within = search.ends_within ?? DEFAULT_CONTRACT_END_DAYS
  return (
    <div className="flex h-full flex-col gap-3 pb-4 md:overflow-y-auto" aria-busy={isPlaceholderData}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 print:hidden">
        <Tabs
          label="สัญญาสิ้นสุดภายใน"
          variant="segment"
          items={CONTRACT_END_PRESET_DAYS.map((days) => ({ value: String(days), label: `${days} วัน` }))}
          value={String(within)}
          onChange={(days) => change({ ends_within: Number(days), page: undefined })}
          panelId="contract-ends"
        />
        <p role="status" className="min-w-0 flex-1 basis-60 text-sm text-ink-muted tabular-nums">
          {data && !isPlaceholderData && (
            <>
              {figuresText(data)}
              <DoubtfulAmountsNote count={data.amounts_in_doubt} />
            </>
          )}
        </p>
        <Button
          variant="quiet"
          size="sm"
          icon={Table2}
          onClick={() => change({ view: undefined, ends_within: within, page: undefined })}
        >
          ดูเป็นตาราง
        </Button>
      </div>
      <div id="contract-ends" role="tabpanel" aria-label="สัญญาที่ใกล้หมด">
        <QueryView
          query={contractEnds}
          task="โหลดสัญญาที่ใกล้หมด"
          staleTitle="โหลดใหม่ไม่สำเร็จ ที่เห็นเป็นของรอบก่อน"
          errorClassName="mb-3"
          bars={['h-24 w-full', 'mt-3 h-24 w-full', 'mt-3 h-24 w-full']}
          forbidden={
            <Card>
              <ForbiddenReport />
            </Card>
          }
        >
          {(answer) => (
            <div className={classNames('flex flex-col gap-3 transition-opacity', isPlaceholderData && 'opacity-50')}>
              {answer.total === 0 ? (
                <EmptyCard
                  icon={FileClock}
                  title={`ไม่มีสัญญาที่สิ้นสุดภายใน ${within} วันในตัวกรองนี้`}
                  actions={
                    within < MAX_OFFERED_DAYS && (
                      <Button
                        variant="primary"
                        onClick={() => change({ ends_within: MAX_OFFERED_DAYS, page: undefined })}
                      >
                        ดูสัญญาที่สิ้นสุดภายใน {MAX_OFFERED_DAYS} วัน
                      </Button>
                    )
                  }
                >
                  นับเฉพาะสัญญาที่ยังดำเนินอยู่และรู้วันสิ้นสุด ลองเอาตัวกรองออกบางตัว
                </EmptyCard>
              ) : (
                <Months answer={answer} change={change} />
              )}
            </div>
          )}
        </QueryView>
      </div>
    </div>
  )
}

function figuresText({ total, projects, value, n_value: pricedCount, within }: Answer): string {
  const valueText =
    value === null ? 'ไม่รู้ราคา' : `รวม ${formatBahtCompact(value)} บาท (รู้ราคา ${formatCount(pricedCount)} ฉบับ)`
  return `สิ้นสุดภายใน ${within} วัน ${formatCount(total)} สัญญา ใน ${formatCount(projects)} โครงการ · ${valueText} · รวมงานในแท็บส่งมอบแล้ว`
}

type Column = { readonly head: string; readonly width: string; readonly isHidden?: boolean; readonly isEnd?: boolean }
const COLUMNS: readonly Column[] = [
  { head: 'ติดดาว', width: 'w-11', isHidden: true },
  { head: 'งาน', width: '' },
  { head: 'ผู้ชนะ', width: 'w-[28%]' },
  { head: 'ราคา', width: 'w-36', isEnd: true },
  { head: 'สิ้นสุดสัญญา', width: 'w-32' },
  { head: 'รับแจ้ง', width: 'w-12', isHidden: true },
]

const monthOf = (day: string) => `${THAI_MONTHS[Number(day.slice(5, 7)) - 1]!.full} ${Number(day.slice(0, 4)) + 543}`

function Months({ answer, change }: { answer: Answer; change: ChangeReportSearchFn }) {
  const { project_bookmark: starred } = useUser()
  const { results, total, page, page_size: size } = answer
  const lastPage = Math.max(1, Math.ceil(total / size))
  return (
    <>
      {[...Map.groupBy(results, ({ end_date: end }) => monthOf(end))].map(([month, contracts]) => (
        <section key={month} aria-label={`สิ้นสุด ${month}`}>
          <h2 className="mb-1.5 font-semibold">สิ้นสุด {month}</h2>
          <Card className="overflow-hidden">
            <table className="w-full border-collapse text-table max-md:block md:table-fixed">
              <caption className="sr-only">สัญญาที่สิ้นสุด {month}</caption>
              <colgroup className="max-md:hidden">
                {COLUMNS.map(({ head, width }) => (
                  <col key={head} className={width} />
                ))}
              </colgroup>
              <thead className="max-md:sr-only">
                <tr>
                  {COLUMNS.map(({ head, isHidden, isEnd }) => (
                    <th
                      key={head}
                      scope="col"
                      className={classNames(
                        'bg-surface-muted px-2 py-1.5 text-xs font-medium whitespace-nowrap text-ink-muted',
                        isEnd ? 'text-right' : 'text-left',
                      )}
                    >
                      {isHidden ? <span className="sr-only">{head}</span> : head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody className="max-md:block">
                {contracts.map((contract) => (
                  <EndingContractRows
                    key={`${contract.project_id} ${contract.contract_no} ${contract.winner_name}`}
                    contract={contract}
                    isStarred={starred.includes(contract.project_id)}
                  />
                ))}
              </tbody>
            </table>
          </Card>
        </section>
      ))}
      {results.length === 0 && <p className="text-ink-muted">หน้านี้ไม่มีสัญญา มีถึงหน้า {formatCount(lastPage)}</p>}
      <PageSteps
        label="หน้าของสัญญา"
        page={page}
        pageSize={size}
        total={total}
        onPage={(to) => change({ page: to === 1 ? undefined : to })}
        className="justify-end"
      />
      <p className="text-xs text-ink-faint">
        เดือนประจำนับจากวันประกาศครั้งแรก (หรือวันลงนาม ถ้าไม่มีวันประกาศ) ของงานชื่อคล้ายกันในหน่วยงานเดียวกัน เป็นการประมาณ
        ไม่ใช่กำหนดของหน่วยงาน งานที่ไม่บอกเดือนไว้ เพราะงานชื่อคล้ายกันมีไม่ถึง {MIN_PURCHASES_FOR_SEASON} ครั้ง
      </p>
    </>
  )
}

/** A renewal takes months to prepare, so it is urgent much earlier than a bid (`getDeadlineUrgency`). */
const URGENT_BELOW_DAYS = 30
const CELL = 'px-2 py-2 align-top max-md:block max-md:px-0 max-md:py-0.5'

function EndingContractRows({ contract, isStarred }: { contract: ContractEnd; isStarred: boolean }) {
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
              <span className="truncate">{summarizePurchaseHistory(history) || 'ประวัติการซื้อ'}</span>
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
