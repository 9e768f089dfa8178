import { useQuery } from '@tanstack/react-query'
import { FileClock, ShieldAlert, Table2 } from 'lucide-react'
import { CONTRACT_END_PRESET_DAYS } from '#contract/catalogue/contract-end.ts'
import { type ContractEnds as Answer, DEFAULT_CONTRACT_END_DAYS } from '#contract/catalogue/contract-ends-list.ts'
import { MIN_PURCHASES_FOR_SEASON } from '#contract/catalogue/purchase-history.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { THAI_MONTHS } from '#contract/thai/thai-date.ts'
import { formatBahtCompact, formatCount } from '#contract/thai/thai-number.ts'
import { useUser } from '#src/account/api/users.ts'
import { DoubtfulAmountsNote } from '#src/catalogue/amounts-in-doubt.tsx'
import { classNames } from '#src/lib/class-names.ts'
import type { ChangeReportSearchFn } from '#src/lib/report-change.ts'
import { contractEndsQuery } from '#src/report/api/contract-ends.ts'
import { Button } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { Tabs } from '#src/ui/tabs.tsx'
import { EndingContractRows } from './ending-contract-row.tsx'

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
              <EmptyState icon={ShieldAlert} title="บัญชีของคุณไม่มีสิทธิ์ดูรายงานนี้">
                ติดต่อผู้ดูแลองค์กรของคุณเพื่อขอสิทธิ์
              </EmptyState>
            </Card>
          }
        >
          {(answer) => (
            <div className={classNames('flex flex-col gap-3 transition-opacity', isPlaceholderData && 'opacity-50')}>
              {answer.total === 0 ? (
                <EmptyResult within={within} change={change} />
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
      {lastPage > 1 && (
        <nav aria-label="หน้าของสัญญา" className="flex items-center justify-end gap-2">
          <Button size="sm" disabled={page <= 1} onClick={() => change({ page: page === 2 ? undefined : page - 1 })}>
            ก่อนหน้า
          </Button>
          <span className="text-ink-muted tabular-nums">
            หน้า {formatCount(page)} / {formatCount(lastPage)}
          </span>
          <Button size="sm" disabled={page >= lastPage} onClick={() => change({ page: page + 1 })}>
            ถัดไป
          </Button>
        </nav>
      )}
      <p className="text-xs text-ink-faint">
        เดือนประจำนับจากวันประกาศครั้งแรก (หรือวันลงนาม ถ้าไม่มีวันประกาศ) ของงานชื่อคล้ายกันในหน่วยงานเดียวกัน เป็นการประมาณ
        ไม่ใช่กำหนดของหน่วยงาน งานที่ไม่บอกเดือนไว้ เพราะงานชื่อคล้ายกันมีไม่ถึง {MIN_PURCHASES_FOR_SEASON} ครั้ง
      </p>
    </>
  )
}

function EmptyResult({ within, change }: { within: number; change: ChangeReportSearchFn }) {
  return (
    <Card>
      <EmptyState
        icon={FileClock}
        title={`ไม่มีสัญญาที่สิ้นสุดภายใน ${within} วันในตัวกรองนี้`}
        actions={
          within < MAX_OFFERED_DAYS && (
            <Button variant="primary" onClick={() => change({ ends_within: MAX_OFFERED_DAYS, page: undefined })}>
              ดูสัญญาที่สิ้นสุดภายใน {MAX_OFFERED_DAYS} วัน
            </Button>
          )
        }
      >
        นับเฉพาะสัญญาที่ยังดำเนินอยู่และรู้วันสิ้นสุด ลองเอาตัวกรองออกบางตัว
      </EmptyState>
    </Card>
  )
}
