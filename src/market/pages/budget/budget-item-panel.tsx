import { useQuery } from '@tanstack/react-query'
import { Circle, CircleCheck, Link2, Link2Off, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { getChoiceLabel, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import type { BudgetDetail, BudgetItem, BudgetItemState } from '#contract/market/budget.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht, formatCount } from '#contract/thai/thai-number.ts'
import { useOptimisticQueryOptions } from '#src/api/optimistic-changes.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { protectTrailingPunctuation } from '#src/lib/link-repair.ts'
import { useMediaQuery } from '#src/lib/use-media-query.ts'
import { budgetDetailQuery, isBudgetLinkCountedInTotals } from '#src/market/api/budgets.ts'
import { AgencyLink } from '#src/report/agency-link/agency-link.tsx'
import { Button } from '#src/ui/button.tsx'
import { EmptyState } from '#src/ui/empty-state.tsx'
import { copyWithToast } from '#src/ui/overlay/copy-with-toast.ts'
import { Modal } from '#src/ui/overlay/modal.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { QueryView } from '#src/ui/query-view.tsx'
import { formatOrUnknown, UnknownValue } from '#src/ui/unknown-value.tsx'
import { BudgetItemLink } from './budget-item-link.tsx'
import { BudgetItemBadges, BudgetStateBadge } from './item-facts.tsx'
import { computeRelativeChange, formatBudgetAmount, formatRelativeChange } from './scope/budget-text.ts'
import { useBudgetUrlState } from './scope/use-budget-url-state.ts'

export function BudgetItemPanel({ id, onClose }: { id: number | undefined; onClose: () => void }) {
  const isWide = useMediaQuery('(min-width: 48rem)')
  return (
    <Modal
      open={id !== undefined}
      onClose={onClose}
      variant={isWide ? 'side' : 'sheet'}
      isTall={!isWide}
      title="รายการงบประมาณ"
    >
      {id !== undefined && <Content key={id} id={id} />}
    </Modal>
  )
}

function Content({ id }: { id: number }) {
  const detail = useQuery(useOptimisticQueryOptions(budgetDetailQuery(id)))
  return (
    <div className="flex flex-col gap-5 px-4 pt-3 pb-6">
      <QueryView
        query={detail}
        task="เปิดรายการ"
        staleTitle="อัปเดตรายการไม่สำเร็จ ที่เห็นคือข้อมูลเดิม"
        barsClassName="flex flex-col gap-4 py-2"
        bars={['w-5/6', 'w-1/2', 'w-full', 'w-2/3', 'w-3/4']}
        notFound={
          <EmptyState icon={SearchX} title="ไม่มีรายการนี้">
            รายการอาจถูกถอนจากเอกสารงบประมาณ หรืออยู่ในปีที่แพ็กเกจของคุณไม่มี
          </EmptyState>
        }
      >
        {(data) => (
          <>
            <Heading item={data.item} />
            <ProgressSteps {...data} />
            <Links {...data} />
            <SourceSection item={data.item} />
            <OtherYears {...data} />
          </>
        )}
      </QueryView>
    </div>
  )
}

function Heading({ item }: { item: BudgetItem }) {
  const copyLink = () =>
    copyWithToast(protectTrailingPunctuation(location.href), 'คัดลอกลิงก์ของรายการแล้ว', 'คัดลอกไม่สำเร็จ คัดลอกจากแถบที่อยู่แทน', {
      key: 'budget-link',
    })
  return (
    <div>
      <h3 className="text-md font-semibold">
        <HighlightedText
          text={item.description}
          words={item.matched_words}
          against={item.excluded_by === null ? [] : [item.excluded_by]}
        />
      </h3>
      <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="text-xl font-semibold tabular-nums">
          {formatOrUnknown(item.amount, formatBaht)} <span className="text-base font-normal text-ink-muted">บาท</span>
        </span>
        <BudgetStateBadge state={item.state} />
        <Button variant="link" size="sm" icon={Link2} onClick={() => void copyLink()}>
          คัดลอกลิงก์
        </Button>
      </p>
      <BudgetItemBadges item={item} />
      {item.excluded_by !== null && (
        <p className="mt-1 text-sm text-ink-muted">มีคำยกเว้น “{item.excluded_by}” จึงไม่นับเป็นรายการที่ตรงคำ</p>
      )}
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="border-t border-line pt-3">
      <h3 className="mb-1 font-semibold">{title}</h3>
      {children}
    </section>
  )
}

const STEPS = [
  { key: 'budget', title: 'ได้งบปี' },
  { key: 'draft', title: 'ร่าง TOR' },
  { key: 'invited', title: 'ประกาศเชิญชวน' },
  { key: 'awarded', title: 'ได้ผู้ชนะ' },
] as const
const REACHED: readonly BudgetItemState[] = ['draft', 'invited', 'awarded']

/** Shows which steps from budget to award the item's projects have reached (N6). Unconfirmed guesses do not count. */
function ProgressSteps({ item, links }: BudgetDetail) {
  const counting = links
    .filter(isBudgetLinkCountedInTotals)
    .toSorted((a, b) => REACHED.indexOf(b.state) - REACHED.indexOf(a.state))
  const steps = STEPS.map(({ key, title }) => {
    if (key === 'budget') return { key, title: `${title} ${item.fiscal_year}`, isDone: true, link: undefined }
    const link = counting.find(({ state }) => REACHED.indexOf(state) >= REACHED.indexOf(key))
    return { key, title, isDone: link !== undefined, link }
  })
  return (
    <Section title="จากงบถึงผู้ชนะ">
      <ol className="flex flex-col gap-1.5">
        {steps.map(({ key, title, isDone, link }) => (
          <li key={key} className="flex items-start gap-2">
            {isDone ? (
              <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-new" />
            ) : (
              <Circle aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
            )}
            <span className={isDone ? '' : 'text-ink-muted'}>
              {title}
              <span className="sr-only">{isDone ? ' ถึงแล้ว' : ' ยังไม่ถึง'}</span>
              {key === 'budget' && item.amount !== null && (
                <span className="block text-xs text-ink-muted tabular-nums">{formatBudgetAmount(item.amount)}</span>
              )}
              {link?.state === key && (
                <span className="block text-xs text-ink-muted tabular-nums">
                  {key === 'awarded'
                    ? joinParts(link.winner_name, link.winner_budget !== null && formatBudgetAmount(link.winner_budget))
                    : getChoiceLabel(PROJECT_MOVEMENTS, link.movement)}
                  {link.movement_date && ` · ${formatThaiDateShortOrOriginal(link.movement_date)}`}
                </span>
              )}
            </span>
          </li>
        ))}
      </ol>
      {item.state === 'cancelled' && <p className="mt-1.5 text-urgent">โครงการของรายการนี้ถูกยกเลิกทั้งหมด</p>}
    </Section>
  )
}

function Links({ item, links }: BudgetDetail) {
  return (
    <Section title={`โครงการใน e-GP${links.length > 0 ? ` (${formatCount(links.length)})` : ''}`}>
      {links.length === 0 ? (
        <p className="flex items-start gap-2 text-ink-muted">
          <Link2Off aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
          ยังไม่พบโครงการที่น่าจะมาจากรายการนี้
        </p>
      ) : (
        <>
          {item.guesses > 0 && <p className="text-sm text-ink-muted">ที่ยังไม่แน่ใจจะไม่นับในตัวเลขใด ๆ จนกว่าจะมีคนยืนยัน</p>}
          <ul className="divide-y divide-line">
            {links.map((link) => (
              <BudgetItemLink key={link.project_id} itemId={item.id} link={link} />
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

function SourceSection({ item }: { item: BudgetItem }) {
  const rows: [string, ReactNode][] = [
    ['กระทรวง', item.ministry],
    [
      'หน่วยรับงบประมาณ',
      <AgencyLink key="unit" name={item.unit} province={item.province}>
        {item.unit}
      </AgencyLink>,
    ],
    ['แผนงาน', item.plan],
    ['ผลผลิต', item.output],
    ['โครงการ', item.project],
    ['หมวดรายจ่าย', item.categories.join(' › ')],
    ['เอกสาร', item.source_document],
    ['หน้า', item.source_page === null ? null : String(item.source_page)],
    ['เลขรายการ', item.item_id],
  ]
  return (
    <Section title="ที่มาในงบประมาณ">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-muted">{name}</dt>
            <dd className="wrap-anywhere">{value ? value : <UnknownValue />}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}

function OtherYears({ item, other_years: years }: BudgetDetail) {
  const { change: changeSearch } = useBudgetUrlState()
  return (
    <Section title="รายการเดียวกันในปีอื่น">
      {years.length === 0 ? (
        <p className="text-ink-muted">ไม่พบในปีอื่นของแพ็กเกจ</p>
      ) : (
        <ul className="divide-y divide-line">
          {years.map(({ id, fiscal_year: year, amount, description }) => {
            const [earlier, later] = [item, { fiscal_year: year, amount }].toSorted(
              (a, b) => a.fiscal_year - b.fiscal_year,
            )
            const change = computeRelativeChange(later!.amount, earlier!.amount)
            return (
              <li key={id} className="py-1.5">
                <button
                  type="button"
                  onClick={() => changeSearch({ item: id, year }, 'replace')}
                  className="flex w-full flex-wrap items-baseline justify-between gap-x-3 rounded-control text-left hover:underline touch:min-h-11"
                >
                  <span className="font-medium text-accent-ink">ปี {year}</span>
                  <span className="tabular-nums">{formatBudgetAmount(amount)}</span>
                  {description !== item.description && (
                    <span className="w-full text-sm text-ink-muted">{description}</span>
                  )}
                </button>
                {change !== null && (
                  <p className="text-xs text-ink-muted tabular-nums">
                    ปี {earlier!.fiscal_year} → {later!.fiscal_year} {formatRelativeChange(change)}
                  </p>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}
