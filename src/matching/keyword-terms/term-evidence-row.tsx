import { Check, EyeOff, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { isKeywordTermActive, type KeywordTerm } from '#contract/matching/keyword-term.ts'
import type { KeywordTermEvidence } from '#contract/matching/term-evidence.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from '#src/ui/button.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { type AiTermListCode, KEYWORD_TERM_SOURCE_LABELS } from './term-text.ts'

type EvidenceRowProps = {
  term: KeywordTerm
  list: AiTermListCode
  facts: KeywordTermEvidence | undefined
  side: string | undefined
  locked: boolean
  isFirst: boolean
  canHide: boolean
  onKeyDown: (event: KeyboardEvent<HTMLLIElement>) => void
  onAnswer: (answer: 'yes' | 'no' | 'hide') => void
}

export function KeywordTermEvidenceRow({
  term,
  list,
  facts,
  side,
  locked,
  isFirst,
  canHide,
  onKeyDown,
  onAnswer,
}: EvidenceRowProps) {
  const acts = isKeywordTermActive(list, term)
  const isNo = term.state === 'rejected'
  return (
    <li
      aria-label={term.term}
      tabIndex={isFirst ? 0 : -1}
      onKeyDown={onKeyDown}
      className="py-2.5 first:pt-0 focus-visible:outline-2 focus-visible:outline-offset-2"
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <div className="min-w-0 flex-1 basis-48">
          <p className="font-medium wrap-anywhere">
            {term.term}
            {side !== undefined && <span className="font-normal text-ink-muted"> แทน {side}</span>}
          </p>
          <p className="text-xs text-ink-muted">
            {factsText(facts, acts, list)} · {KEYWORD_TERM_SOURCE_LABELS[term.source]}
          </p>
        </div>
        <div role="group" aria-label={`ใช้ ${term.term} หรือไม่`} className="flex gap-1.5">
          <Answer icon={Check} isOn={acts} locked={locked} onPress={() => onAnswer('yes')}>
            ใช่
          </Answer>
          <Answer icon={X} isOn={isNo} locked={locked} onPress={() => onAnswer('no')}>
            ไม่
          </Answer>
          {canHide && (
            <Button
              size="sm"
              variant="quiet"
              icon={EyeOff}
              disabled={locked}
              onClick={() => onAnswer('hide')}
              aria-label={`ซ่อนทุกชื่อที่มี ${term.term}`}
            >
              ซ่อน
            </Button>
          )}
        </div>
      </div>
      {facts !== undefined && facts.samples.length > 0 && (
        <ul aria-label="เช่น" className="mt-1.5 space-y-1 text-sm text-ink-muted">
          {facts.samples.map(({ project_id, name }) => (
            <li key={project_id} className="line-clamp-2 border-l-2 border-line pl-2 wrap-anywhere">
              <HighlightedText text={name} words={[term.term]} />
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

type AnswerProps = {
  icon: typeof Check
  isOn: boolean
  locked: boolean
  onPress: () => void
  children: string
}

function Answer({ icon, isOn, locked, onPress, children }: AnswerProps) {
  return (
    <Button
      size="sm"
      icon={icon}
      aria-pressed={isOn}
      disabled={locked}
      onClick={onPress}
      className={classNames(isOn && 'border-accent-line! bg-accent-soft! text-accent-ink!')}
    >
      {children}
    </Button>
  )
}

/**
 * Returns how many titles the term adds, e.g. `เพิ่ม 142 ชื่อ`; for an active term, how many would be lost without it.
 */
function factsText(facts: KeywordTermEvidence | undefined, acts: boolean, list: AiTermListCode): string {
  if (!facts) return 'ยังไม่ได้นับ'
  if (facts.holds === 0) return 'ไม่พบในปีที่ผ่านมา'
  if (facts.adds === 0) return `พบใน ${formatCount(facts.holds)} ชื่อ คำอื่นพบอยู่แล้วทั้งหมด`
  const verb = list === 'ai_exclude' ? 'ซ่อน' : 'พบ'
  const count = formatCount(facts.adds)
  return acts ? `${verb}เพราะคำนี้คำเดียว ${count} ชื่อ` : `จะ${verb}เพิ่ม ${count} ชื่อ`
}
