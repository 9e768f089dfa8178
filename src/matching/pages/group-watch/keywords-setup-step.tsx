import { GraduationCap, Plus, Sparkles } from 'lucide-react'
import { useState } from 'react'
import { toKeywordKey } from '#contract/matching/keyword.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { UnsavedKeywordTraining } from '#src/matching/lesson/unsaved-keyword-training.tsx'
import { Button } from '#src/ui/button.tsx'
import { SetupKeywordBox } from './setup-keyword-box.tsx'
import type { SetupKeywordGroup, WatchListSetupStepProps } from './watch-list-setup-draft.ts'
import {
  addValidSetupKeywords,
  computeRemainingListLimits,
  deselectSetupKeyword,
  listChosenSetupKeywords,
  selectSetupKeyword,
  setSetupKeywordTraining,
} from './watch-list-setup-keywords.ts'

type StepWordsProps = WatchListSetupStepProps & { refused: ReadonlyMap<string, string> }
type WordGroupCardProps = StepWordsProps & { group: SetupKeywordGroup }

function WordGroupCard({ group, draft, organisation, onChange, refused }: WordGroupCardProps) {
  const name = group.name || 'คำอื่นของคุณ'
  const { id, include, ai } = group
  const selected = include.filter(({ on }) => on)
  const unused = include.filter(({ on }) => !on)
  const selectedAi = ai.filter(({ on }) => on)
  const [teaching, setTeaching] = useState<string>()
  const taught = ai.find(({ word }) => word === teaching)
  const remaining = computeRemainingListLimits(draft, organisation)

  const add = (words: readonly string[]) => {
    const { next, ...outcome } = addValidSetupKeywords({ draft, organisation }, 'include', words, (before, word) =>
      selectSetupKeyword(before, id, 'include', word),
    )
    onChange(next)
    return outcome
  }
  const reasons = [...selected, ...selectedAi].flatMap(({ word }) => {
    const reason = refused.get(toKeywordKey(word))
    return reason === undefined ? [] : [{ word, reason }]
  })
  return (
    <section aria-label={name} className="rounded-card border border-line bg-surface p-3 sm:p-4">
      <h2 className="mb-2 font-semibold">{name}</h2>
      <SetupKeywordBox
        label={`เพิ่มคำใน ${name}`}
        placeholder="พิมพ์คำแล้วกด Enter หรือวางหลายบรรทัด"
        words={selected.map(({ word }) => word)}
        toneOf={(word) => (refused.has(toKeywordKey(word)) ? 'negative' : 'accent')}
        onRemove={(word) => onChange(deselectSetupKeyword(draft, id, 'include', word))}
        onAdd={add}
      />
      {reasons.map(({ word, reason }) => (
        <p key={word} role="alert" className="mt-1 text-sm text-urgent">
          {word}: {reason}
        </p>
      ))}
      {unused.length > 0 && (
        <div className="mt-2.5 flex flex-wrap items-center gap-1.5">
          <span className="text-xs text-ink-faint">คำแนะนำที่ยังไม่ได้ใช้</span>
          {unused.map(({ word }) => (
            <button
              key={word}
              type="button"
              disabled={remaining.include === 0}
              onClick={() => onChange(selectSetupKeyword(draft, id, 'include', word))}
              className="inline-flex max-w-full items-center gap-1 rounded-control border border-dashed border-line-strong px-2 py-0.5 text-sm text-ink-muted enabled:hover:bg-surface-muted enabled:hover:text-ink disabled:opacity-50 touch:min-h-11"
            >
              <Plus aria-hidden className="size-3.5 shrink-0" />
              {word}
              <span className="sr-only"> เพิ่มคำนี้</span>
            </button>
          ))}
        </div>
      )}
      {ai.length > 0 && (
        <div className="mt-2.5 flex flex-wrap items-center gap-1.5">
          <span className="inline-flex items-center gap-1 text-xs text-ink-faint">
            <Sparkles aria-hidden className="size-3.5" />
            ให้ AI หาคำใกล้เคียงด้วย
          </span>
          {ai.map(({ word, on }) => (
            <button
              key={word}
              type="button"
              aria-pressed={on}
              disabled={!on && remaining.ai_include === 0}
              onClick={() => onChange((on ? deselectSetupKeyword : selectSetupKeyword)(draft, id, 'ai', word))}
              className="inline-flex max-w-full items-center rounded-control border border-line-strong px-2 py-0.5 text-sm text-ink-muted enabled:hover:bg-surface-muted disabled:opacity-50 aria-pressed:border-accent-line aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent-ink touch:min-h-11"
            >
              {word}
            </button>
          ))}
          {selectedAi.map(({ word, lesson }) => (
            <Button key={word} variant="link" size="sm" icon={GraduationCap} onClick={() => setTeaching(word)}>
              สอน “{word}” ด้วยตัวอย่าง
              {lesson && lesson.answers.length > 0 && ` (ตอบแล้ว ${lesson.answers.length} ข้อ)`}
            </Button>
          ))}
        </div>
      )}
      {taught && (
        <UnsavedKeywordTraining
          word={taught.word}
          chosen={NO_CHOICE}
          lesson={taught.lesson}
          onChange={(lesson) => onChange(setSetupKeywordTraining(draft, id, taught.word, lesson))}
          onClose={() => setTeaching(undefined)}
        />
      )}
    </section>
  )
}

const NO_CHOICE = { approve: [], reject: [] } as const

export function KeywordsSetupStep(props: StepWordsProps) {
  const { draft, organisation } = props
  const remaining = computeRemainingListLimits(draft, organisation)
  const used = listChosenSetupKeywords(draft, 'include').length
  const usedAi = listChosenSetupKeywords(draft, 'ai').length
  return (
    <div className="space-y-3">
      <p role="status" className="text-ink-muted">
        เลือกไว้ <b className="font-semibold text-ink tabular-nums">{formatCount(used)}</b> คำ เพิ่มได้อีก{' '}
        {formatCount(remaining.include)} คำ · คำใกล้เคียง (AI) {formatCount(usedAi)} คำ เพิ่มได้อีก{' '}
        {formatCount(remaining.ai_include)} คำ
        {remaining.include === 0 && ' · ครบตามแพ็กเกจแล้ว เอาคำที่ไม่ใช้ออกก่อน หรือติดต่อทีมงาน'}
      </p>
      {draft.groups.map((group) => (
        <WordGroupCard key={group.id} {...props} group={group} />
      ))}
    </div>
  )
}
