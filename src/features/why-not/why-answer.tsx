import { Link } from '@tanstack/react-router'
import { Check, CircleCheck, CircleX, X } from 'lucide-react'
import type { Why } from '#contract/keyword-impact.ts'
import { formatBaht } from '#contract/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { thaiDay } from '#src/lib/thai-day.ts'
import { buttonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { Highlighted } from '#src/ui/highlighted.tsx'
import { ProjectId } from '#src/ui/project-id.tsx'
import { RuleAction, type RuleActions, type WhyRule } from './rule-action.tsx'

const RULE_NAMES: Readonly<Record<WhyRule['rule'], string>> = {
  known: 'มีข้อมูลในระบบ',
  include: 'ตรงกับคำหรือหน่วยงานที่ติดตาม',
  exclude: 'ไม่มีคำที่ไม่รวม',
  budget: 'งบประมาณ',
  province: 'จังหวัด',
  window: 'ช่วงเวลาของรายงาน',
  hidden_by_you: 'คุณไม่ได้ซ่อนไว้',
  archived: 'ยังไม่ส่งมอบ',
}

type WhyAnswerProps = RuleActions & { id: string; why: Why }

/** The verdict, and under it every rule with what decided and what can be done. */
export function WhyAnswer({ id, why, ...actions }: WhyAnswerProps) {
  const { project, in_report, rules } = why
  const broken = rules.filter(({ passed }) => !passed)
  const isSeen = in_report && broken.length === 0
  const Icon = in_report ? CircleCheck : CircleX
  const against = rules.find(({ rule, passed }) => rule === 'exclude' && !passed)?.words.map(({ word }) => word)
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
          <span className="min-w-0">{verdict(why, broken)}</span>
        </p>
        {isSeen && (
          <Link to="/report" search={{ peek: id }} className={buttonClasses()}>
            ดูในรายงาน
          </Link>
        )}
      </div>
      {project && (
        <div className="border-b border-line px-4 py-3">
          <p className="font-medium">
            <Highlighted text={project.name} words={project.words} against={against} />
          </p>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-sm text-ink-muted">
            <span>{project.dept_sub_name || project.dept_name}</span>
            <span className="tabular-nums">
              {project.budget === null ? 'ไม่ระบุงบ' : `${formatBaht(project.budget)} บาท`}
            </span>
            {project.movement_date !== null && <span>{thaiDay(project.movement_date)}</span>}
            <ProjectId id={project.project_id} />
          </p>
        </div>
      )}
      <ol className="divide-y divide-line">
        {rules.map((rule) => (
          <li key={rule.rule} className="flex gap-3 px-4 py-3">
            <RuleMark passed={rule.passed} />
            <div className="flex min-w-0 flex-1 flex-col gap-2">
              <p>
                <span className="block text-sm text-ink-muted">{RULE_NAMES[rule.rule]}</span>
                <span className={classNames('block', !rule.passed && 'font-medium')}>{rule.text}</span>
              </p>
              {!rule.passed && <RuleAction rule={rule} projectId={id} name={project?.name ?? ''} {...actions} />}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function verdict({ project, in_report }: Why, broken: readonly WhyRule[]): string {
  if (!project) return 'ไม่พบโครงการนี้ในระบบ'
  if (!in_report) return broken.length > 1 ? `ไม่อยู่ในรายงาน ติด ${broken.length} เงื่อนไข` : 'ไม่อยู่ในรายงาน'
  if (broken.some(({ rule }) => rule === 'hidden_by_you')) return 'อยู่ในรายงานขององค์กร แต่คุณซ่อนไว้'
  if (broken.some(({ rule }) => rule === 'archived')) return 'อยู่ในรายงาน ที่แท็บส่งมอบแล้ว'
  return 'อยู่ในรายงาน'
}

function RuleMark({ passed }: { passed: boolean }) {
  const Icon = passed ? Check : X
  return (
    <span
      className={classNames(
        'mt-0.5 inline-flex size-5 shrink-0 items-center justify-center rounded-full',
        passed ? 'bg-new-soft text-new' : 'bg-urgent-soft text-urgent',
      )}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={3} />
      <span className="sr-only">{passed ? 'ผ่าน' : 'ไม่ผ่าน'}</span>
    </span>
  )
}
