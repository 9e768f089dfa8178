import { Link } from '@tanstack/react-router'
import { Check, CircleCheck, CircleX, Info, Plus, X } from 'lucide-react'
import type { MatchExplanation } from '#contract/matching/keyword-impact.ts'
import { formatThaiDateShortOrOriginal } from '#contract/thai/thai-date.ts'
import { formatBaht } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { useOrganisation } from '#src/account/api/organisations.ts'
import { keywordImpactKeys } from '#src/api/http/keys.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { classNames } from '#src/lib/class-names.ts'
import { exemptProjectsFromExclusionWithUndo } from '#src/matching/excluded-projects/exempt-projects-with-undo.ts'
import { useWatchListsLocked } from '#src/matching/keywords/watch-lists-locked-banner.tsx'
import { setProjectsHidden } from '#src/report/hidden-projects/set-projects-hidden.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'
import { Card } from '#src/ui/card.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { ProjectId } from '#src/ui/project/project-id.tsx'
import { ProjectLink } from '#src/ui/project/project-link.tsx'

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

export function MatchExplanationAnswer({ id, why }: { id: string; why: MatchExplanation }) {
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
                  <MatchRuleActionButton rule={rule} inReport={in_report} projectId={id} name={project?.name ?? ''} />
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

const RULE_MARKS = {
  passed: [Check, 'bg-new-soft text-new', 'ผ่าน'],
  note: [Info, 'bg-updated-soft text-updated', 'หมายเหตุ'],
  broken: [X, 'bg-urgent-soft text-urgent', 'ไม่ผ่าน'],
} as const

function RuleMark({ rule }: { rule: MatchExplanationRule }) {
  const [Icon, className, label] = RULE_MARKS[rule.passed ? 'passed' : isListingRule(rule) ? 'note' : 'broken']
  return (
    <span
      className={classNames('mt-0.5 inline-flex size-5 shrink-0 items-center justify-center rounded-full', className)}
    >
      <Icon aria-hidden className="size-3.5" strokeWidth={3} />
      <span className="sr-only">{label}</span>
    </span>
  )
}

const GENERIC_WORDS = new Set(
  `โครงการ ซื้อ จัด จัดซื้อ จ้าง จัดจ้าง เหมา จ้างเหมา บริการ งาน การ ความ จัดหา จำนวน รายการ ชุด เครื่อง ตัว อัน คัน หลัง แห่ง สาย ระบบ
  พร้อม และ หรือ ของ ใน ที่ สำหรับ เพื่อ ด้วย โดย วิธี แบบ ตาม จาก ให้ กับ แก่ ภายใน บริเวณ ประจำ ปี พ ศ งบประมาณ ประจำปี ปีงบประมาณ
  ประกวด ราคา ประกวดราคา อิเล็กทรอนิกส์ เฉพาะ เจาะจง เฉพาะเจาะจง คัดเลือก bidding e ebidding ต่อ อื่น อื่นๆ ระหว่าง เดือน ครั้ง ใช้ ทำ`.split(
    /\s+/,
  ),
)
/** From the first match of this pattern on, a title describes the location instead of the subject. */
const LOCATION_PATTERN = /(?:ถนนสาย|ทางหลวงหมายเลข|[-\s]บ้าน|ตำบล|อำเภอ|จังหวัด|แขวง|เขต|หมู่ที่|หมู่ที|หมู่บ้าน|ต\.|อ\.|จ\.|ม\.)/
/** Maximum segments per offered word: "กล้อง|วงจร|ปิด" has three. */
const MAX_SEGMENTS = 3
const MIN_LETTERS = 3

export function suggestKeywordsFromTitle(title: string, maxCount = 6): string[] {
  const segmenter = new Intl.Segmenter('th', { granularity: 'word' })
  const subject = title.split(LOCATION_PATTERN)[0]!
  const runs: string[][] = [[]]
  for (const { segment, isWordLike } of segmenter.segment(subject)) {
    const isFiller = !isWordLike || GENERIC_WORDS.has(segment.toLowerCase()) || /^[\d๐-๙.,]+$/.test(segment)
    if (isFiller) runs.push([])
    else runs.at(-1)!.push(segment)
  }
  const words = runs.flatMap((run) =>
    run.flatMap((_, index) => (index % MAX_SEGMENTS === 0 ? [run.slice(index, index + MAX_SEGMENTS).join('')] : [])),
  )
  return [...new Set(words)].filter((word) => word.length >= MIN_LETTERS).slice(0, maxCount)
}

type MatchExplanationRule = MatchExplanation['rules'][number]

type RuleActionProps = { rule: MatchExplanationRule; inReport: boolean; projectId: string; name: string }

async function unhideProject(projectId: string): Promise<void> {
  const saved = await setProjectsHidden([projectId], false)
  if (saved) await queryClient.invalidateQueries({ queryKey: keywordImpactKeys.why(projectId) })
}

function MatchRuleActionButton({ rule, inReport, projectId, name }: RuleActionProps) {
  switch (rule.rule) {
    case 'include':
      // A matching word exists but is disabled or not approved, so do not suggest another.
      if (rule.words.length > 0)
        return (
          <Link to="/watch" className={getButtonClasses('secondary', 'md', 'self-start')}>
            ไปที่คำและหน่วยงาน
          </Link>
        )
      return <SuggestedKeywords name={name} />
    case 'exclude':
      return isDemoSession() ? null : (
        <Button className="self-start" onClick={() => exemptProjectsFromExclusionWithUndo([projectId], true)}>
          นำเข้ารายงาน
        </Button>
      )
    case 'budget':
    case 'province':
    case 'window':
      return (
        <p className="text-sm text-ink-muted">
          ขอบเขตนี้มาจากแพ็กเกจขององค์กร ถ้าต้องการให้กว้างขึ้น ติดต่อทีมงาน{' '}
          <Link
            to="/settings"
            search={{ tab: 'team', part: 'package' }}
            className="inline-flex items-center rounded-control font-medium text-accent-ink hover:underline touch:min-h-11"
          >
            ดูขอบเขตของแพ็กเกจ
          </Link>
        </p>
      )
    case 'hidden_by_you':
      return (
        <Button className="self-start" onClick={() => void unhideProject(projectId)}>
          เลิกซ่อน
        </Button>
      )
    case 'archived':
      return !inReport ? null : (
        <Link
          to="/report"
          search={{ is_archived: true, peek: projectId }}
          className={getButtonClasses('secondary', 'md', 'self-start')}
        >
          ดูในแท็บส่งมอบแล้ว
        </Link>
      )
    default:
      return null
  }
}

function SuggestedKeywords({ name }: { name: string }) {
  const isLocked = useWatchListsLocked(useOrganisation().customer_config)
  if (isLocked || isDemoSession()) return null
  return (
    <div role="group" aria-label="เพิ่มคำจากชื่อโครงการนี้" className="flex flex-wrap items-center gap-1.5 text-sm">
      <span className="text-ink-muted">เพิ่มคำจากชื่อนี้:</span>
      {suggestKeywordsFromTitle(name).map((word) => (
        <Link key={word} to="/watch" search={{ list: 'include', word }} className={getButtonClasses('secondary', 'sm')}>
          <Plus aria-hidden className="size-4" />
          {word}
        </Link>
      ))}
      <Link to="/watch" search={{ list: 'include' }} className={getButtonClasses('link', 'sm')}>
        พิมพ์คำเอง
      </Link>
    </div>
  )
}
