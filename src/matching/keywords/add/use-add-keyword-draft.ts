import { useState } from 'react'
import type { KeywordListCode } from '#contract/account/organisation.ts'
import type { NewKeywordTraining } from '#contract/matching/keyword-training.ts'
import type { NewListedKeyword } from '#src/matching/api/keyword-edits.ts'
import { type KeywordGroupChoice, tryAddKeywords } from '#src/matching/keywords/keyword-changes.ts'
import { NO_KEYWORD_GROUP, toNewKeywordGroup } from './keyword-group-field.tsx'

type AddKeywordDraftTerms = {
  readonly approve: readonly string[]
  readonly reject: readonly string[]
  readonly terms: readonly string[]
}
type FailedWord = { readonly list: KeywordListCode; readonly word: string; readonly reason: string }

type UnsavedKeyword = {
  readonly word: string
  /** Exclusions to be added with the word. */
  readonly excluded: readonly string[]
  readonly terms?: AddKeywordDraftTerms
  readonly lesson?: NewKeywordTraining
}
const NO_WORD: UnsavedKeyword = { word: '', excluded: [] }

export function useAddKeywordDraft(list: KeywordListCode) {
  const [unsaved, setUnsaved] = useState(NO_WORD)
  const [group, setGroup] = useState<KeywordGroupChoice>(NO_KEYWORD_GROUP)
  const [failed, setFailed] = useState<readonly FailedWord[]>([])
  /** A word that the server refuses returns to the box or, if another is being typed, is listed below it. */
  const save = async () => {
    const { excluded, terms, lesson } = unsaved
    const text = unsaved.word.trim()
    const ai = terms && (list === 'ai_include' || list === 'ai_exclude') ? terms : undefined
    const words: NewListedKeyword[] = [
      {
        list,
        entry: {
          word: text,
          ...toNewKeywordGroup(list, group),
          ...(ai && ai.approve.length > 0 && { approve: [...ai.approve] }),
          ...(ai && ai.reject.length > 0 && { reject: [...ai.reject] }),
          ...(list === 'ai_include' && lesson && lesson.answers.length > 0 && { lesson }),
        },
      },
      ...excluded.map((excludedWord): NewListedKeyword => ({ list: 'exclude', entry: { word: excludedWord } })),
    ]
    setUnsaved(NO_WORD)
    setFailed(failed.filter((failure) => failure.word !== text))
    const result = await tryAddKeywords(words)
    if (result.ok) return
    const line = result.errors?.lines[0]
    const reason = line ? (line.word === text ? line.message : `“${line.word}”: ${line.message}`) : result.reason
    setUnsaved((current) => {
      if (current.word === '') return { ...unsaved, word: text }
      setFailed([...failed.filter((failure) => failure.word !== text), { list, word: text, reason }])
      return current
    })
  }
  return {
    ...unsaved,
    setWord: (next: string) =>
      setUnsaved((now) => (next.trim() === now.word.trim() ? { ...now, word: next } : { ...NO_WORD, word: next })),
    change: (patch: Partial<UnsavedKeyword>) => setUnsaved((now) => ({ ...now, ...patch })),
    group,
    setGroup,
    failed,
    setFailed,
    save,
    clear: () => setUnsaved(NO_WORD),
  }
}
