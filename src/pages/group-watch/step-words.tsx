import { countText } from '#src/lib/money-text.ts'
import type { StepProps } from './set-up-draft.ts'
import { chosenWords, roomLeft } from './set-up-words.ts'
import { WordGroupCard } from './word-group-card.tsx'

type StepWordsProps = StepProps & {
  /** What the server said against words, by their keys. */
  refused: ReadonlyMap<string, string>
}

/** Step two: words by group. Those of the suggestions that fit are taken; words by meaning are offered. */
export function StepWords({ draft, organisation, onChange, refused }: StepWordsProps) {
  const room = roomLeft(draft, organisation)
  const used = chosenWords(draft, 'include').length
  const usedAi = chosenWords(draft, 'ai').length
  return (
    <div className="space-y-3">
      <p role="status" className="text-ink-muted">
        เลือกไว้ <b className="font-semibold text-ink tabular-nums">{countText(used)}</b> คำ เพิ่มได้อีก{' '}
        {countText(room.include)} คำ · คำใกล้เคียง (AI) {countText(usedAi)} คำ เพิ่มได้อีก {countText(room.ai_include)} คำ
        {room.include === 0 && ' · ครบตามแพ็กเกจแล้ว เอาคำที่ไม่ใช้ออกก่อน หรือติดต่อทีมงาน'}
      </p>
      {draft.groups.map((group) => (
        <WordGroupCard
          key={group.id}
          group={group}
          draft={draft}
          organisation={organisation}
          onChange={onChange}
          refused={refused}
        />
      ))}
    </div>
  )
}
