import { Check, X } from 'lucide-react'
import { getChoiceLabel, PROJECT_MOVEMENTS } from '#contract/catalogue/project.ts'
import type { BudgetLink } from '#contract/market/budget.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { ProjectName } from '#src/catalogue/project-name.tsx'
import { classNames } from '#src/lib/class-names.ts'
import { formatPercent } from '#src/lib/figure-text.ts'
import { joinParts } from '#src/lib/join-parts.ts'
import { decideBudgetLink } from '#src/market/api/budgets.ts'
import { Button } from '#src/ui/button.tsx'
import { BudgetStateBadge } from './item-facts.tsx'
import { formatBudgetAmount, formatBudgetLinkConfidence } from './scope/budget-text.ts'

const CHOICES = [
  {
    choice: 'confirmed',
    text: 'ใช่ รายการนี้',
    icon: Check,
    look: 'border-new-line! bg-new-soft! text-new!',
    done: 'ยืนยันว่าโครงการนี้มาจากรายการนี้แล้ว',
  },
  {
    choice: 'rejected',
    text: 'ไม่ใช่',
    icon: X,
    look: 'border-urgent-line! bg-urgent-soft! text-urgent!',
    done: 'ตัดโครงการนี้ออกจากรายการนี้แล้ว',
  },
] as const

export function BudgetItemLink({ itemId, link }: { itemId: number; link: BudgetLink }) {
  const hasReport = !useOrganisation().is_access_budget_year_only
  const { decision, decided_by: by, confidence, reasons, winner_name: winner, winner_budget: price } = link
  const isRejected = decision === 'rejected'
  const toggle = ({ choice, done }: (typeof CHOICES)[number]) => {
    const next = decision === choice ? null : choice
    const message = { failed: 'บันทึกไม่สำเร็จ', done: next === null ? 'เอาคำตัดสินออกแล้ว' : done }
    void decideBudgetLink({ id: itemId, projectId: link.project_id, decision: next }, message)
  }
  return (
    <li className={classNames('py-3', isRejected && 'text-ink-muted')}>
      <p className="mb-0.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        <BudgetStateBadge state={link.state} />
        <span className="text-xs text-ink-muted">
          {decision === 'confirmed'
            ? `ยืนยันแล้ว${by ? `โดย ${by}` : ''}`
            : isRejected
              ? `ตัดออกแล้ว${by ? `โดย ${by}` : ''} ไม่นับในตัวเลข`
              : `${formatBudgetLinkConfidence(confidence)} (${formatPercent(confidence)})`}
        </span>
      </p>
      <p>
        <ProjectName
          project={{ ...link, in_report: link.in_report && hasReport }}
          className={classNames('font-medium', isRejected && 'line-through decoration-1')}
        />
      </p>
      <p className="text-sm text-ink-muted">
        {joinParts(
          link.dept_sub_name || link.dept_name,
          link.fiscal_year === null ? undefined : `ปีงบประมาณ ${link.fiscal_year}`,
          link.project_id,
        )}
      </p>
      <p className="flex flex-wrap gap-x-3 text-sm text-ink-muted tabular-nums">
        <span>งบ {link.budget === null ? 'ไม่มีข้อมูล' : formatBudgetAmount(link.budget)}</span>
        {winner !== null && (
          <span>
            ผู้ชนะ <span className="text-ink">{winner}</span>
            {price !== null && ` ${formatBudgetAmount(price)}`}
          </span>
        )}
      </p>
      <p className="text-xs text-ink-muted">
        {getChoiceLabel(PROJECT_MOVEMENTS, link.movement)}
        {link.movement_date && ` ${formatThaiDateShortOrOriginal(link.movement_date)}`}
        {hasReport && !link.in_report && ' · อยู่นอกรายงานขององค์กร จึงเปิดดูรายละเอียดไม่ได้'}
      </p>
      {reasons.length > 0 && (
        <ul aria-label="เหตุผลที่เชื่อม" className="mt-1 list-disc pl-5 text-sm text-ink-muted">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <div className="mt-2 flex flex-wrap gap-2">
        {CHOICES.map((option) => (
          <Button
            key={option.choice}
            size="sm"
            icon={option.icon}
            aria-pressed={decision === option.choice}
            onClick={() => toggle(option)}
            className={decision === option.choice ? option.look : ''}
          >
            {option.text}
            <span className="sr-only"> {link.name}</span>
          </Button>
        ))}
      </div>
    </li>
  )
}
