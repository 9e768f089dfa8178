import { useMutation, useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, Clock } from 'lucide-react'
import { useState } from 'react'
import type { Keyword, KeywordListCode } from '#contract/account/organisation.ts'
import {
  findKeywordProblem,
  type KeywordProblem,
  MAX_KEYWORDS_PER_REQUEST,
  toKeywordKey,
} from '#contract/matching/keyword.ts'
import { splitPastedKeywords } from '#contract/matching/pasted-keywords.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { nameElement } from '#src/lib/named-elements.ts'
import { useDebouncedText } from '#src/lib/use-debounced-text.ts'
import { withReactKeys } from '#src/lib/with-react-keys.ts'
import type { NewListedKeyword } from '#src/matching/api/keyword-edits.ts'
import { keywordCheckQuery } from '#src/matching/api/keywords.ts'
import { type KeywordGroupChoice, tryAddKeywords } from '#src/matching/keywords/keyword-changes.ts'
import { getKeywordListAppearance, getKeywordListItemNoun } from '#src/matching/keywords/keyword-list-appearances.ts'
import { getKeywordProblemText } from '#src/matching/keywords/keyword-problem-text.ts'
import { useWatchLists } from '#src/matching/keywords/watch-list-tools.ts'
import { Button } from '#src/ui/button.tsx'
import { focusOnMount } from '#src/ui/focus-on-mount.ts'
import { InlineQueryError } from '#src/ui/inline-query-error.tsx'
import { KeywordGroupField, NO_KEYWORD_GROUP, toNewKeywordGroup } from './keyword-group-field.tsx'

type BulkBoxProps = {
  list: KeywordListCode
  text: string
  onTextChange: (text: string) => void
  onClose: () => void
}

export function BulkAddKeywordsBox({ list, text, onTextChange, onClose }: BulkBoxProps) {
  const { organisation, isLocked } = useWatchLists()
  const [group, setGroup] = useState<KeywordGroupChoice>(NO_KEYWORD_GROUP)
  const save = useMutation({
    mutationFn: (saved: readonly BulkKeywordLine[]) => {
      const good = saved.filter(({ problem }) => problem === undefined)
      return tryAddKeywords(
        good.map(({ word }): NewListedKeyword => ({ list, entry: { word, ...toNewKeywordGroup(list, group) } })),
      )
    },
    onSuccess: (result, saved) => {
      if (!result.ok) return
      const remaining = saved.filter(({ problem }) => problem !== undefined).map(({ word }) => word)
      onTextChange(remaining.join('\n'))
      if (remaining.length === 0) onClose()
    },
  })
  const debounced = useDebouncedText(text)
  const existing = organisation[list]
  const localLines = checkBulkKeywordLines(list, splitPastedKeywords(list, text), existing)
  const checkableWords = checkBulkKeywordLines(list, splitPastedKeywords(list, debounced), existing)
    .filter(({ problem }) => problem === undefined)
    .map(({ word }) => word)
  const shouldCheck = checkableWords.length > 0 && !isLocked && !save.isPending
  const check = useQuery({ ...keywordCheckQuery(list, checkableWords), enabled: shouldCheck })
  // Do not check lines that are being saved: they already exist in the list and would be reported as duplicates.
  const lines = save.isPending
    ? save.variables
    : addServerProblemsToBulkLines(localLines, checkableWords, check.data?.lines ?? [])
  const good = lines.filter(({ problem }) => problem === undefined)
  const bad = lines.length - good.length
  const notes = [...(check.data?.silent ?? []), ...(check.data?.waiting ?? [])]
  const waiting = new Map(notes.map(({ index, message }) => [checkableWords[index], message]))
  const isChecked = debounced === text && check.isSuccess

  const unit = getKeywordListItemNoun(list)
  return (
    <div>
      <label htmlFor="bulk-words" className="block font-medium">
        วางหลาย{unit} <span className="font-normal text-ink-muted">· {getKeywordListAppearance(list).name}</span>
      </label>
      <p id="bulk-hint" className="text-sm text-ink-muted">
        {list === 'deptsub_include'
          ? 'บรรทัดละหน่วยงาน ใช้ชื่อตามทะเบียน'
          : 'บรรทัดละคำ หรือคัดลอกจาก Excel คั่นด้วยจุลภาคหรือแท็บก็ได้'}
      </p>
      <textarea
        id="bulk-words"
        data-autofocus
        ref={(element) => {
          focusOnMount(element)
          return nameElement('addWord')(element)
        }}
        rows={6}
        spellCheck={false}
        aria-describedby="bulk-hint"
        disabled={isLocked}
        value={text}
        onChange={(event) => onTextChange(event.currentTarget.value)}
        className="mt-2 w-full rounded-control border border-control bg-surface px-3 py-2 disabled:opacity-60 touch:text-lg"
      />
      {list !== 'deptsub_include' && (
        <div className="mt-1 flex items-center gap-2 text-sm text-ink-muted">
          กลุ่ม
          <KeywordGroupField label="กลุ่มของคำเหล่านี้" value={group} onChange={setGroup} disabled={isLocked} />
        </div>
      )}
      <p role="status" className="mt-3 min-h-6 text-sm">
        {lines.length > 0 && (
          <>
            <span className="font-medium text-new">เพิ่มได้ {formatCount(good.length)}</span>
            {bad > 0 && <span className="text-urgent"> · ติดปัญหา {formatCount(bad)}</span>}
            {check.isFetching && <span className="text-ink-muted"> · กำลังตรวจกับระบบ</span>}
          </>
        )}
      </p>
      <InlineQueryError query={check} title="ตรวจกับระบบไม่สำเร็จ:" />
      {lines.length > 0 && (
        <ol
          aria-label="ผลตรวจทีละบรรทัด"
          className="max-h-64 divide-y divide-line overflow-auto rounded-control border border-line"
        >
          {withReactKeys(lines, ({ word }) => word).map(({ key, item: line }) => (
            <Line key={key} line={line} waits={waiting.get(line.word)} />
          ))}
        </ol>
      )}
      <div className="sticky bottom-0 mt-4 flex gap-2 bg-surface py-1">
        {lines.length > 0 && (
          <Button
            variant="primary"
            pending={save.isPending}
            disabled={isLocked || good.length === 0 || !isChecked}
            onClick={() => save.mutate(lines)}
            className="flex-1"
          >
            {good.length > 0 ? `เพิ่ม ${formatCount(good.length)} ${unit}` : `เพิ่ม${unit}`}
            {good.length > 0 && bad > 0 && ` (เว้น ${formatCount(bad)})`}
          </Button>
        )}
        <Button onClick={onClose}>ปิด</Button>
      </div>
    </div>
  )
}

function Line({ line: { word, problem }, waits }: { line: BulkKeywordLine; waits: string | undefined }) {
  const [Icon, look] = problem
    ? ([CircleAlert, 'text-urgent'] as const)
    : waits
      ? ([Clock, 'text-updated'] as const)
      : ([CircleCheck, 'text-new'] as const)
  return (
    <li className="flex items-start gap-2 px-2.5 py-1 text-sm">
      <Icon aria-hidden className={`mt-1 size-3.5 shrink-0 ${look}`} />
      <span className="min-w-0 flex-1 wrap-anywhere">
        {word}
        <span className={`block text-xs ${look}`}>{problem ?? waits ?? <span className="sr-only">เพิ่มได้</span>}</span>
      </span>
    </li>
  )
}

type BulkKeywordLine = { readonly word: string; readonly problem: string | undefined }

export function checkBulkKeywordLines(
  list: KeywordListCode,
  words: readonly string[],
  existing: readonly Keyword[],
): BulkKeywordLine[] {
  const existingKeys = new Set(existing.map(({ word }) => toKeywordKey(word)))
  const seen = new Set<string>()
  return words.map((word, index) => {
    const checked = findKeywordProblem(list, word)
    const key = toKeywordKey(word)
    const isRepeated = seen.has(key)
    seen.add(key)
    if (!checked.ok) return { word, problem: getKeywordProblemText(checked.code) }
    if (existingKeys.has(key)) return { word, problem: getKeywordProblemText('duplicate') }
    if (isRepeated) return { word, problem: getKeywordProblemText('repeated') }
    if (index >= MAX_KEYWORDS_PER_REQUEST) return { word, problem: 'เกินจำนวนที่เพิ่มได้ในครั้งเดียว' }
    return { word, problem: undefined }
  })
}

/** Merges the server's problems, which take precedence. `checkedWords`: the words sent to the server, in order. */
export function addServerProblemsToBulkLines(
  lines: readonly BulkKeywordLine[],
  checkedWords: readonly string[],
  answers: readonly Pick<KeywordProblem, 'index' | 'message'>[],
): BulkKeywordLine[] {
  const problems = new Map(answers.map(({ index, message }) => [checkedWords[index], message]))
  const used = new Set<string>()
  return lines.map((line) => {
    if (line.problem !== undefined || used.has(line.word)) return line
    used.add(line.word)
    return { ...line, problem: problems.get(line.word) }
  })
}
