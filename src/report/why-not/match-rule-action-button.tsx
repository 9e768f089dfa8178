import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { MatchExplanation } from '#contract/matching/keyword-impact.ts'
import { Button, getButtonClasses } from '#src/ui/button.tsx'

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

let segmenter: Intl.Segmenter | undefined

export function suggestKeywordsFromTitle(title: string, maxCount = 6): string[] {
  segmenter ??= new Intl.Segmenter('th', { granularity: 'word' })
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

export type MatchExplanationRule = MatchExplanation['rules'][number]

export type MatchRuleActions = {
  onRescue: (projectId: string) => void
  onAddWord: (word: string) => void
  onUnhide: (projectId: string) => void
  locked: boolean
  canRescue: boolean
}

type RuleActionProps = MatchRuleActions & {
  rule: MatchExplanationRule
  inReport: boolean
  projectId: string
  name: string
}

export function MatchRuleActionButton({
  rule,
  inReport,
  projectId,
  name,
  onRescue,
  onAddWord,
  onUnhide,
  locked,
  canRescue,
}: RuleActionProps) {
  switch (rule.rule) {
    case 'include':
      // A matching word exists but is disabled or not approved, so do not suggest another.
      if (rule.words.length > 0) return <ListsLink />
      return locked ? null : <SuggestedWords name={name} onAddWord={onAddWord} />
    case 'exclude':
      return !canRescue ? null : (
        <Button className="self-start" onClick={() => onRescue(projectId)}>
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
        <Button className="self-start" onClick={() => onUnhide(projectId)}>
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

function ListsLink() {
  return (
    <Link to="/watch" className={getButtonClasses('secondary', 'md', 'self-start')}>
      ไปที่คำและหน่วยงาน
    </Link>
  )
}

function SuggestedWords({ name, onAddWord }: { name: string; onAddWord: (word: string) => void }) {
  return (
    <div role="group" aria-label="เพิ่มคำจากชื่อโครงการนี้" className="flex flex-wrap items-center gap-1.5 text-sm">
      <span className="text-ink-muted">เพิ่มคำจากชื่อนี้:</span>
      {suggestKeywordsFromTitle(name).map((word) => (
        <Button key={word} size="sm" icon={Plus} onClick={() => onAddWord(word)}>
          {word}
        </Button>
      ))}
      <Button variant="link" size="sm" onClick={() => onAddWord('')}>
        พิมพ์คำเอง
      </Button>
    </div>
  )
}
