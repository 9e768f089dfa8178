import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { keywordKey } from '#contract/keyword.ts'
import type { Preview } from '#contract/keyword-impact.ts'
import { countText } from '#src/lib/money-text.ts'

type ImpactNotesProps = {
  preview: Pick<Preview, 'overlaps' | 'conflicts'>
  /** Exclusions that are being added: that they take projects away is what they are ticked for. */
  excluded: readonly string[]
}

/** Below this another word says too little about a new one to be named. */
const WORTH_TELLING = 0.5
/** Of each kind; more would hide the figures. */
const MOST = 3

/** What stored words have to do with the new one: those that find its projects already, and those that take them away. */
export function ImpactNotes({ preview, excluded }: ImpactNotesProps) {
  const conflicts = preview.conflicts.filter(({ word }) => !excluded.includes(word)).slice(0, MOST)
  const overlaps = preview.overlaps.filter(({ share }) => share >= WORTH_TELLING).slice(0, MOST)
  if (conflicts.length === 0 && overlaps.length === 0) return null
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {conflicts.map(({ of, word, count }) => (
        <Note key={`conflict ${word}`}>
          {keywordKey(of) === keywordKey(word) ? (
            <>คุณไม่รวมคำนี้อยู่ จึงไม่เห็น</>
          ) : (
            <>
              คุณไม่รวมคำ <b className="font-medium">{word}</b> อยู่ จึงไม่เห็น
            </>
          )}{' '}
          {countText(count)} โครงการที่มี {of}
        </Note>
      ))}
      {overlaps.map(({ of, keyword_id, word, share }) => (
        <Note key={`overlap ${keyword_id} ${of}`}>
          คำ <b className="font-medium">{word}</b> ครอบคลุมแล้ว {Math.round(share * 100)} %
        </Note>
      ))}
    </ul>
  )
}

function Note({ children }: { children: ReactNode }) {
  return (
    <li className="flex items-start gap-2 text-ink-muted">
      <Info aria-hidden className="mt-1 size-3.5 shrink-0" />
      <span className="min-w-0">{children}</span>
    </li>
  )
}
