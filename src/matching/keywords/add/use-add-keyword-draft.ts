import { useState } from 'react'
import type { KeywordListCode } from '#contract/account/organisation.ts'
import type { NewKeywordTraining } from '#contract/matching/keyword-training.ts'
import type { NewListedKeyword } from '#src/matching/api/keyword-edits.ts'
import { type KeywordGroupChoice, tryAddKeywords } from '#src/matching/keywords/keyword-changes.ts'
import { NO_KEYWORD_GROUP } from './keyword-group-field.tsx'

export type AddKeywordDraftTerms = {
  readonly approve: readonly string[]
  readonly reject: readonly string[]
  readonly terms: readonly string[]
}
type FailedWord = { readonly list: KeywordListCode; readonly word: string; readonly reason: string }

export type AddKeywordDraft = ReturnType<typeof useAddKeywordDraft>

export function useAddKeywordDraft(list: KeywordListCode) {
  const [word, setWord] = useState('')
  const [excluded, setExcluded] = useState<readonly string[]>([])
  const [terms, setTerms] = useState<AddKeywordDraftTerms>()
  const [lesson, setLesson] = useState<NewKeywordTraining>()
  const [group, setGroup] = useState<KeywordGroupChoice>(NO_KEYWORD_GROUP)
  const [failed, setFailed] = useState<readonly FailedWord[]>([])

  const forgetChoices = () => {
    setExcluded([])
    setTerms(undefined)
    setLesson(undefined)
  }
  /**
   * Saves the word and clears the box at once. A word that the server refuses returns to the box or, if another is being
   * typed, is listed below the box.
   */
  const save = async () => {
    const text = word.trim()
    const previous = { excluded, terms, lesson }
    const ai = terms && (list === 'ai_include' || list === 'ai_exclude') ? terms : undefined
    const groupOfWord = list === 'deptsub_include' ? undefined : group
    const words: NewListedKeyword[] = [
      {
        list,
        entry: {
          word: text,
          ...(groupOfWord && 'group' in groupOfWord ? groupOfWord : {}),
          ...(groupOfWord && 'group_id' in groupOfWord && groupOfWord.group_id !== null ? groupOfWord : {}),
          ...(ai && ai.approve.length > 0 ? { approve: [...ai.approve] } : {}),
          ...(ai && ai.reject.length > 0 ? { reject: [...ai.reject] } : {}),
          ...(list === 'ai_include' && lesson && lesson.answers.length > 0 ? { lesson } : {}),
        },
      },
      ...excluded.map((excludedWord): NewListedKeyword => ({ list: 'exclude', entry: { word: excludedWord } })),
    ]
    setWord('')
    forgetChoices()
    setFailed(failed.filter((failure) => failure.word !== text))
    const result = await tryAddKeywords(words)
    if (result.ok) return
    const line = result.errors?.lines[0]
    const reason = line ? (line.word === text ? line.message : `“${line.word}”: ${line.message}`) : result.reason
    setWord((current) => {
      if (current === '') {
        setExcluded(previous.excluded)
        setTerms(previous.terms)
        setLesson(previous.lesson)
        return text
      }
      setFailed([...failed.filter((failure) => failure.word !== text), { list, word: text, reason }])
      return current
    })
  }
  return {
    word,
    setWord: (next: string) => {
      setWord(next)
      if (next.trim() !== word.trim()) forgetChoices()
    },
    excluded,
    setExcluded,
    terms,
    setTerms,
    lesson,
    setLesson,
    group,
    setGroup,
    failed,
    setFailed,
    save,
    clear: () => {
      setWord('')
      forgetChoices()
    },
  }
}
