import { useQuery } from '@tanstack/react-query'
import { GraduationCap } from 'lucide-react'
import { useState } from 'react'
import { findKeywordProblem } from '#contract/matching/keyword.ts'
import type { KeywordTerm, KeywordTermExpansion } from '#contract/matching/keyword-term.ts'
import type { NewKeywordTraining } from '#contract/matching/keyword-training.ts'
import { classNames } from '#src/lib/class-names.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { applyKeywordTermChange, keywordExpansionQuery } from '#src/matching/api/keyword-terms.ts'
import { UnsavedKeywordTraining } from '#src/matching/lesson/unsaved-keyword-training.tsx'
import { Button } from '#src/ui/button.tsx'
import { InlineQueryError } from '#src/ui/inline-query-error.tsx'
import { SkeletonGroup } from '#src/ui/skeleton.tsx'
import { KeywordTermPicker } from './keyword-term-picker.tsx'
import { SimilarTermListNote, SimilarTermSourceNote } from './keyword-terms-card.tsx'
import { type AiTermListCode, selectActiveKeywordTerms } from './term-text.ts'

type TermChooserProps = {
  /** Its terms are fetched after a debounce. A different word resets the choice without calling `onChange`. */
  word: string
  list: AiTermListCode
  /** Earlier choice of terms for this word, restored for example after the server refused the word. */
  chosen?: { readonly approve: readonly string[]; readonly reject: readonly string[] } | undefined
  /** Approved and rejected terms for `POST /organisations/me`, and all active ones for the preview panel. */
  onChange: (approve: string[], reject: string[], terms: string[]) => void
  lesson?: NewKeywordTraining | undefined
  /** The caller stores the lesson until it is saved with the word. Without this, teaching is not offered. */
  onLesson?: ((lesson: NewKeywordTraining) => void) | undefined
  onHide?: ((term: string) => void) | undefined
}

export function UnsavedKeywordTermPicker(props: TermChooserProps) {
  const { word, list } = props
  const debounced = useDebouncedText(word.trim())
  const isValid = findKeywordProblem(list, debounced).ok
  const expansion = useQuery({ ...keywordExpansionQuery(debounced), enabled: isValid })
  if (!isValid) return null
  if (expansion.data) {
    // While another word is being typed, the previous word's terms are shown read-only.
    const isOld = debounced !== word.trim()
    return (
      <div aria-busy={isOld} className={classNames('transition-opacity', isOld && 'opacity-60')}>
        <Choices key={debounced} {...props} word={debounced} expansion={expansion.data} locked={isOld} />
      </div>
    )
  }
  if (expansion.error)
    return (
      <InlineQueryError query={expansion} title="หาคำใกล้เคียงไม่สำเร็จ">
        บันทึกคำนี้ได้ ระบบจะขยายให้ภายหลัง
      </InlineQueryError>
    )
  return <SkeletonGroup label="กำลังหาคำใกล้เคียง" className="flex gap-1.5" bars={['h-7 w-28', 'h-7 w-20', 'h-7 w-24']} />
}

type ChoicesProps = TermChooserProps & { expansion: KeywordTermExpansion; locked: boolean }

function Choices({ word, list, chosen: earlier, expansion, locked, onChange, lesson, onLesson, onHide }: ChoicesProps) {
  const [chosen, setChosen] = useState({ approve: [...(earlier?.approve ?? [])], reject: [...(earlier?.reject ?? [])] })
  const [isTeaching, setTeaching] = useState(false)
  const isKnown = (word: string) => expansion.terms.some(({ term }) => term === word)
  const termsAfter = (choice: typeof chosen, taught: NewKeywordTraining | undefined) => {
    const add = choice.approve.filter((word) => !isKnown(word))
    return withTaught(applyKeywordTermChange(expansion.terms, { ...choice, add }), taught)
  }
  const report = (choice: typeof chosen, taught: NewKeywordTraining | undefined) => {
    const acting = selectActiveKeywordTerms(list, termsAfter(choice, taught)).map(({ term }) => term)
    onChange(choice.approve, choice.reject, [...new Set(acting)])
  }
  const choose = (approve: string[], reject: string[]) => {
    setChosen({ approve, reject })
    report({ approve, reject }, lesson)
  }
  const applyLesson = (taught: NewKeywordTraining) => {
    onLesson?.(taught)
    report(chosen, taught)
  }
  const without = (words: string[], term: string) => words.filter((word) => word !== term)
  const toggle = ({ term }: Pick<KeywordTerm, 'term'>, on: boolean) =>
    on
      ? choose([...without(chosen.approve, term), term], without(chosen.reject, term))
      : choose(without(chosen.approve, term), isKnown(term) ? [...without(chosen.reject, term), term] : chosen.reject)
  return (
    <div>
      <p className="mb-1.5 text-xs text-ink-muted">
        <SimilarTermSourceNote engine={expansion.engine} />
      </p>
      <SimilarTermListNote list={list} isKnown={expansion.known} />
      <KeywordTermPicker
        word={word}
        list={list}
        terms={termsAfter(chosen, lesson)}
        locked={locked}
        onTurn={toggle}
        onHide={onHide}
        onAdd={(term) => choose([...chosen.approve, term], chosen.reject)}
        lesson={
          onLesson && (
            <Button variant="link" size="sm" icon={GraduationCap} disabled={locked} onClick={() => setTeaching(true)}>
              สอนด้วยตัวอย่าง
              {lesson && lesson.answers.length > 0 && ` (ตอบแล้ว ${lesson.answers.length} ข้อ)`}
            </Button>
          )
        }
      />
      {isTeaching && (
        <UnsavedKeywordTraining
          word={word}
          chosen={chosen}
          lesson={lesson}
          onChange={applyLesson}
          onClose={() => setTeaching(false)}
        />
      )}
    </div>
  )
}

/** Applies the user's answers to titles to the terms; manual decisions take precedence. */
function withTaught(terms: readonly KeywordTerm[], lesson: NewKeywordTraining | undefined): readonly KeywordTerm[] {
  if (!lesson || lesson.turned.length === 0) return terms
  const acts = new Map(lesson.turned.map((term) => [`${term.facet} ${term.term}`, term.acts]))
  return terms.map((term): KeywordTerm => {
    const on = acts.get(`${term.facet} ${term.term}`)
    if (on === undefined || term.state === 'approved' || term.state === 'rejected') return term
    return { ...term, state: on ? 'approved' : 'rejected', taught: true }
  })
}
