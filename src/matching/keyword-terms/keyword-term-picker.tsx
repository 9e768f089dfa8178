import { Check, ChevronDown, ChevronUp, Plus, RotateCcw } from 'lucide-react'
import { type ReactNode, useId, useRef, useState } from 'react'
import { isKeywordTermActive, type KeywordTerm } from '#contract/matching/keyword-term.ts'
import { classNames } from '#src/lib/class-names.ts'
import { Button } from '#src/ui/button.tsx'
import { createEntryKeyHandler } from '#src/ui/form/entry-key-handler.ts'
import { TextField } from '#src/ui/form/text-field.tsx'
import { Tooltip } from '#src/ui/overlay/tooltip.tsx'
import { HighlightedText } from '#src/ui/project/highlighted-text.tsx'
import { KeywordTermEvidenceList } from './term-evidence-list.tsx'
import {
  type AiTermListCode,
  findAddKeywordTermProblem,
  findEquivalentKeywordTerm,
  formatTermSimilarity,
  formatTermTitleCount,
  getKeywordConcepts,
  KEYWORD_TERM_SOURCE_LABELS,
  selectKeywordTermsToReview,
} from './term-text.ts'

type TermChipProps = Pick<TermPickerProps, 'list' | 'locked' | 'onTurn'> & { term: KeywordTerm }

function TermChip({ term, list, locked, onTurn }: TermChipProps) {
  const on = isKeywordTermActive(list, term)
  const Icon = on ? Check : Plus
  const similarity = formatTermSimilarity(term)
  return (
    <Tooltip
      content={
        <>
          <p>
            {KEYWORD_TERM_SOURCE_LABELS[term.source]} · {formatTermTitleCount(term)}
          </p>
          {term.samples.map((sample) => (
            <p key={sample} className="mt-0.5 line-clamp-2 text-ink-muted">
              <HighlightedText text={sample} words={[term.term]} />
            </p>
          ))}
        </>
      }
    >
      {(describe) => (
        <button
          type="button"
          role="checkbox"
          aria-checked={on}
          aria-disabled={locked || undefined}
          {...describe}
          onClick={() => locked || onTurn(term, !on)}
          className={classNames(
            'inline-flex min-h-7 max-w-full items-center gap-1.5 rounded-control border px-2 text-sm transition-colors touch:min-h-11',
            on
              ? 'border-transparent bg-accent-soft text-accent-ink'
              : 'border-dashed border-line-strong text-ink-muted',
            !locked && (on ? 'hover:border-accent-line' : 'hover:border-control hover:text-ink'),
          )}
        >
          <Icon aria-hidden className="size-3.5 shrink-0" />
          <span className="min-w-0 truncate">{term.term}</span>{' '}
          {similarity !== '' && (
            <span className={classNames('text-xs tabular-nums', !on && 'text-ink-faint')}>
              <span className="sr-only">ความคล้าย 0</span>
              {similarity}
            </span>
          )}
        </button>
      )}
    </Tooltip>
  )
}

type TermPickerProps = {
  word: string
  list: AiTermListCode
  terms: readonly KeywordTerm[]
  locked: boolean
  onTurn: (term: KeywordTerm, on: boolean) => void
  onAdd: (term: string) => void
  onReset?: (() => void) | undefined
  lesson?: ReactNode
  onHide?: ((term: string) => void) | undefined
}

const MAX_SUGGESTED = 4
const MAX_SIDE_TERMS = 5

export function KeywordTermPicker({
  word,
  list,
  terms,
  locked,
  onTurn,
  onAdd,
  onReset,
  lesson,
  onHide,
}: TermPickerProps) {
  const [isOpen, setIsOpen] = useState(false)
  const restId = useId()
  // The server sends suggestions with the highest expected gain first; preserve that order.
  const wholeWordTerms = terms.filter(({ facet, source }) => facet === 0 && source !== 'literal')
  // These terms are chosen and ordered only once, so that a toggled term does not move and retains the focus.
  const [early, setEarly] = useState(() => earlyTerms(list, wholeWordTerms))
  const chips = [
    ...early.flatMap((word) => wholeWordTerms.find(({ term }) => term === word) ?? []),
    ...wholeWordTerms.filter(
      ({ term, source, taught }) => (source === 'user' || taught === true) && !early.includes(term),
    ),
  ]
  const judged = selectKeywordTermsToReview(terms).length
  const sides = getKeywordConcepts(terms)
  return (
    <div className="flex flex-col gap-2">
      <div role="group" aria-label={`คำใกล้เคียงของ ${word}`} className="flex flex-wrap gap-1.5">
        {chips.map((term) => (
          <TermChip key={term.term} term={term} list={list} locked={locked} onTurn={onTurn} />
        ))}
      </div>
      {/* A title matches when it contains a term from every side: `ปรับปรุง ≈ ซ่อมสร้าง และ ถนน ≈ ผิวทาง`. */}
      {sides.length > 0 && (
        <div role="group" aria-label="หรือมีครบทุกส่วน" className="flex flex-col gap-1.5 text-sm">
          <p className="text-ink-muted">หรือชื่อที่มีครบทุกส่วน</p>
          {sides.map(({ facet, of, terms: sideTerms }, index) => (
            <div key={facet} className="flex flex-wrap items-center gap-1.5">
              <span>
                {index > 0 && <span className="text-ink-muted">และ </span>}
                <span className="font-medium">{of}</span>
                {sideTerms.length > 0 && <span className="text-ink-muted"> ≈</span>}
              </span>
              {(isOpen ? sideTerms : sideTerms.slice(0, MAX_SIDE_TERMS)).map((term) => (
                <TermChip key={term.term} term={term} list={list} locked={locked} onTurn={onTurn} />
              ))}
            </div>
          ))}
        </div>
      )}
      {isOpen && (
        <KeywordTermEvidenceList
          id={restId}
          word={word}
          list={list}
          terms={terms}
          locked={locked}
          onTurn={onTurn}
          onHide={
            onHide &&
            ((term) => {
              onTurn(term, false)
              onHide(term.term)
            })
          }
        />
      )}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {judged > 0 && (
          <Button
            variant="link"
            size="sm"
            icon={isOpen ? ChevronUp : ChevronDown}
            aria-expanded={isOpen}
            aria-controls={isOpen ? restId : undefined}
            onClick={() => {
              if (isOpen) setEarly(earlyTerms(list, wholeWordTerms))
              setIsOpen(!isOpen)
            }}
          >
            {isOpen ? 'ปิดรายการตรวจคำ' : `ตรวจด้วยชื่อจริง ${judged} คำ`}
          </Button>
        )}
        {judged > 0 && lesson}
        {!locked && onReset && terms.some(isDecided) && (
          <Button variant="link" size="sm" icon={RotateCcw} onClick={onReset}>
            คืนค่าเริ่มต้น
          </Button>
        )}
        {!locked && <AddKeywordTermField word={word} list={list} terms={terms} onTurn={onTurn} onAdd={onAdd} />}
      </div>
    </div>
  )
}

function earlyTerms(list: AiTermListCode, terms: readonly KeywordTerm[]): readonly string[] {
  const suggested = terms.filter((term) => !isKeywordTermActive(list, term) && term.state !== 'rejected')
  const taking = terms.filter((term) => isKeywordTermActive(list, term))
  return [...taking, ...suggested.slice(0, MAX_SUGGESTED)].map(({ term }) => term)
}

const isDecided = ({ state, source }: KeywordTerm) => source === 'user' || state === 'approved' || state === 'rejected'

type AddTermFieldProps = Pick<TermPickerProps, 'word' | 'list' | 'terms' | 'onTurn' | 'onAdd'>

function AddKeywordTermField({ word, list, terms, onTurn, onAdd }: AddTermFieldProps) {
  const [isOpen, setIsOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const [problem, setProblem] = useState<string>()
  const opener = useRef<HTMLButtonElement>(null)

  const close = () => {
    setIsOpen(false)
    setTyped('')
    setProblem(undefined)
    // Focus the button in the next frame, because only then is it mounted again.
    requestAnimationFrame(() => opener.current?.focus())
  }
  const add = () => {
    const newProblem = findAddKeywordTermProblem(typed, list, terms)
    setProblem(newProblem)
    if (newProblem !== undefined) return
    const existing = findEquivalentKeywordTerm(typed, terms)
    if (existing) onTurn(existing, true)
    else onAdd(typed.trim())
    setTyped('')
  }
  if (!isOpen) {
    return (
      <Button ref={opener} variant="link" size="sm" icon={Plus} onClick={() => setIsOpen(true)}>
        เพิ่มคำเอง
      </Button>
    )
  }
  return (
    <div className="flex min-w-0 flex-1 basis-full items-start gap-2">
      <TextField
        label={`คำที่ใช้แทน ${word}`}
        hideLabel
        autoFocus
        autoComplete="off"
        spellCheck={false}
        placeholder="พิมพ์คำแล้วกด Enter"
        value={typed}
        error={problem}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setProblem(undefined)
        }}
        onKeyDown={createEntryKeyHandler({ onEnter: add, onEscape: close })}
        className="min-w-0 flex-1"
      />
      <Button onClick={add}>เพิ่ม</Button>
      <Button variant="quiet" onClick={close}>
        ปิด
      </Button>
    </div>
  )
}
