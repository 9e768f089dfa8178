import { Link } from '@tanstack/react-router'
import { Check, CircleCheck, CircleX, Info, X } from 'lucide-react'
import type { MatchExplanation } from '#contract/matching/keyword-impact.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { getButtonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { ProjectId } from '#src/ui/project/project-id.tsx'
import { ProjectLink } from '#src/ui/project/project-link.tsx'
import { type MatchExplanationRule, MatchRuleActionButton, type MatchRuleActions } from './match-rule-action-button.tsx'

const RULE_NAMES: Readonly<Record<MatchExplanationRule['rule'], string>> = {
  known: 'ข้อมูลในระบบ',
  include: 'คำและหน่วยงานที่ติดตาม',
  exclude: 'คำที่ไม่รวม',
  budget: 'งบประมาณ',
  province: 'จังหวัด',
  window: 'ช่วงเวลาของรายงาน',
  hidden_by_you: 'ซ่อนจากมุมมองของคุณ',
  archived: 'แท็บของรายงาน',
}

type MatchExplanationAnswerProps = MatchRuleActions & { id: string; why: MatchExplanation }

export function MatchExplanationAnswer({ id, why, ...actions }: MatchExplanationAnswerProps) {
  const { project, in_report, rules } = why
  const broken = rules.filter(({ passed }) => !passed)
  const isSeen = in_report && broken.length === 0
  const Icon = in_report ? CircleCheck : CircleX
  const against = rules.find(({ rule, passed }) => rule === 'exclude' && !passed)?.words.map(({ word }) => word)
  const name = project && <HighlightedText text={project.name} words={project.words} against={against} />
  return (
    <Card as="article" aria-label={`คำตอบของโครงการ ${id}`}>
      <div
        className={classNames(
          'flex flex-wrap items-center gap-x-3 gap-y-2 rounded-t-card border-b border-line px-4 py-3',
          in_report ? 'bg-new-soft' : 'bg-urgent-soft',
        )}
      >
        <p
          className={classNames(
            'flex min-w-0 flex-1 basis-60 gap-2 font-semibold',
            in_report ? 'text-new' : 'text-urgent',
          )}
        >
          <Icon aria-hidden className="mt-0.5 size-5 shrink-0" />
          <span className="min-w-0">{verdictText(why, broken)}</span>
        </p>
        {isSeen && (
          <Link to="/report" search={{ peek: id }} className={getButtonClasses()}>
            ดูในรายงาน
          </Link>
        )}
      </div>
      {project && (
        <div className="border-b border-line px-4 py-3">
          <p className="font-medium">{in_report ? <ProjectLink id={project.project_id}>{name}</ProjectLink> : name}</p>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-sm text-ink-muted">
            <span>{project.dept_sub_name || project.dept_name}</span>
            <span className="tabular-nums">
              {project.budget === null ? 'ไม่ระบุงบ' : `${formatBaht(project.budget)} บาท`}
            </span>
            {project.movement_date !== null && <span>{formatThaiDateShortOrOriginal(project.movement_date)}</span>}
            <ProjectId id={project.project_id} />
          </p>
        </div>
      )}
      <ol className="divide-y divide-line">
        {rules.map((rule) => (
          <li key={rule.rule} className="flex gap-3 px-4 py-3">
            <RuleMark rule={rule} />
            <div className="flex min-w-0 flex-1 flex-col gap-2">
              <p className="sm:flex sm:gap-4">
                <span className="block shrink-0 text-ink-muted max-sm:text-sm sm:w-44">{RULE_NAMES[rule.rule]}</span>
                <span className={classNames('block min-w-0', !rule.passed && 'font-medium')}>{rule.text}</span>
              </p>
              {!rule.passed && (
                <div className="flex flex-col empty:hidden sm:pl-48">
                  <MatchRuleActionButton
                    rule={rule}
                    inReport={in_report}
                    projectId={id}
                    name={project?.name ?? ''}
                    {...actions}
                  />
                </div>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** True for rules that only decide where a project is listed and exclude no project. */
const isListingRule = ({ rule }: MatchExplanationRule) => rule === 'hidden_by_you' || rule === 'archived'

function verdictText({ project, in_report }: MatchExplanation, broken: readonly MatchExplanationRule[]): string {
  if (!project) return 'ไม่พบโครงการนี้ในระบบ'
  if (!in_report) return `ไม่อยู่ในรายงาน ติด ${broken.filter((rule) => !isListingRule(rule)).length} เงื่อนไข`
  if (broken.some(({ rule }) => rule === 'hidden_by_you')) return 'อยู่ในรายงานขององค์กร แต่คุณซ่อนไว้'
  return broken.length > 0 ? 'อยู่ในรายงาน ที่แท็บส่งมอบแล้ว' : 'อยู่ในรายงาน'
}

function RuleMark({ rule }: { rule: MatchExplanationRule }) {
  const [Icon, className, label] = markOf(rule)
  return (
    <span
      className={classNames('mt-0.5 inline-flex size-5 shrink-0 items-center justify-center rounded-full', className)}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={3} />
      <span className="sr-only">{label}</span>
    </span>
  )
}

function markOf(rule: MatchExplanationRule) {
  if (rule.passed) return [Check, 'bg-new-soft text-new', 'ผ่าน'] as const
  if (isListingRule(rule)) return [Info, 'bg-updated-soft text-updated', 'หมายเหตุ'] as const
  return [X, 'bg-urgent-soft text-urgent', 'ไม่ผ่าน'] as const
}
