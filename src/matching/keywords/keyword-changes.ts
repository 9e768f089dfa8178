import type { Keyword, KeywordListCode, Organisation } from '#contract/account/organisation.ts'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { KEYWORD_LIST_RULES, type KeywordErrors, toKeywordKey } from '#contract/matching/keyword.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { isDemoSession } from '#src/account/api/demo.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { getOptimisticQueryData } from '#src/api/optimistic-changes.ts'
import { formatErrorMessage, isRetryableError } from '#src/lib/problem-error.ts'
import type { KeywordPatch, NewListedKeyword, SearchModeSwitches } from '#src/matching/api/keyword-edits.ts'
import {
  addKeywords,
  changeKeywords,
  getKeywordErrors,
  isKeywordListError,
  removeKeywords,
  renameKeywordGroup,
  restoreKeywords,
  setSearchModes,
} from '#src/matching/api/keywords.ts'
import { showDoneToast } from '#src/ui/overlay/outcome-toasts.ts'
import { showToast } from '#src/ui/overlay/toast.ts'
import { getKeywordListItemNoun } from './keyword-list-appearances.ts'
import { type KeywordListActionResult, keywordListActionResultStore } from './keyword-list-status-line.tsx'
import { recordWatchListLock } from './watch-lists-locked-banner.tsx'

export type KeywordChangeResult =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly errors: KeywordErrors | undefined
      readonly reason: string
      readonly error: unknown
    }

type ChangeMessages = {
  /** List whose status strip shows the result; undefined where no word was added or deleted. */
  readonly list?: KeywordListCode
  readonly done?: string
  readonly undo?: () => void
  readonly failed: string
  /** Returns a note that is appended to `done`; called after success. */
  readonly note?: () => string
}

const organisation = () => getOptimisticQueryData<Organisation>(organisationKeys.me)

async function runChange(send: () => Promise<void>, messages: ChangeMessages): Promise<KeywordChangeResult> {
  const { list, done, undo, failed, note } = messages
  const showResult = (status: Omit<KeywordListActionResult, 'list'>) =>
    list && keywordListActionResultStore.set({ list, ...status })
  if (isDemoSession()) {
    showResult({ tone: 'error', text: API_PROBLEM_TEXTS.demo_read_only })
    showToast({ tone: 'error', key: 'demo', text: API_PROBLEM_TEXTS.demo_read_only })
    return { ok: false, errors: undefined, reason: API_PROBLEM_TEXTS.demo_read_only, error: undefined }
  }
  try {
    await send()
    if (done !== undefined) {
      showResult({ tone: 'success', text: `${done}${note?.() ?? ''}` })
      if (undo) showDoneToast(done, undo)
    }
    return { ok: true }
  } catch (error) {
    const errors = getKeywordErrors(error)
    const config = organisation()?.customer_config
    if (isKeywordListError(error, 'lists_locked') && config) recordWatchListLock(config)
    const reason = errors ? reasonOf(errors, list) : formatErrorMessage(error)
    showResult({ tone: 'error', text: `${failed}: ${reason}`, ...(errors ? { named: namedWords(errors) } : {}) })
    const retry = () => void runChange(send, messages)
    // Errors about words are shown next to the word, all other errors in a toast.
    if (!errors || !list)
      showToast({
        tone: 'error',
        text: `${failed}: ${reason}`,
        ...(isRetryableError(error) ? { action: { label: 'ลองอีกครั้ง', run: retry } } : {}),
      })
    return { ok: false, errors, reason, error }
  }
}

const textOf = (text: string | string[] | undefined) => (Array.isArray(text) ? text[0] : text)

/** Returns the server's message for this list, otherwise the first other error message (specification section 8). */
function reasonOf({ errors, non_field_errors, lines }: KeywordErrors, list: KeywordListCode | undefined): string {
  const listReason = list && textOf(errors[KEYWORD_LIST_RULES[list].payload])
  return listReason ?? lines[0]?.message ?? non_field_errors[0] ?? API_PROBLEM_TEXTS.bad_input
}

function namedWords({ errors }: KeywordErrors): NonNullable<KeywordListActionResult['named']> {
  const groups = [
    { title: 'คำที่ใช้ไม่ได้', words: errors.blacklisted_words },
    { title: 'วงเล็บไม่ครบคู่', words: errors.invalid_brackets },
  ]
  return groups.flatMap(({ title, words }) => (Array.isArray(words) && words.length > 0 ? [{ title, words }] : []))
}

const wordsText = (words: readonly string[], list: KeywordListCode) =>
  words.length === 1 ? `“${words[0]}”` : `${formatCount(words.length)} ${getKeywordListItemNoun(list)}`

export function tryAddKeywords(words: readonly NewListedKeyword[]): Promise<KeywordChangeResult> {
  const list = words[0]!.list
  const main = words.filter((word) => word.list === list).map(({ entry }) => entry.word)
  const excludedCount = words.length - main.length
  const subject = `${wordsText(main, list)}${excludedCount > 0 ? ` และคำไม่รวม ${formatCount(excludedCount)} คำ` : ''}`
  return runChange(() => addKeywords(words), {
    list,
    done: `เพิ่ม ${subject} แล้ว`,
    failed: `เพิ่ม ${subject} ไม่สำเร็จ`,
    note: () => waitingNote(list, main),
  })
}

/** Adds a term to the exclusions. `done` is the text of the toast. Resolves to false after a refusal. */
export async function excludeTerm(word: string, done: string): Promise<boolean> {
  const { ok } = await tryAddKeywords([{ list: 'exclude', entry: { word } }])
  if (ok) showDoneToast(done)
  return ok
}

/** Returns a note about stored words that await approval and match nothing until then (D11). */
function waitingNote(list: KeywordListCode, words: readonly string[]): string {
  const added = new Set(words.map(toKeywordKey))
  const waiting =
    organisation()?.[list].filter(({ word, approved }) => !approved && added.has(toKeywordKey(word))) ?? []
  if (waiting.length === 0) return ''
  return ` ${waiting.length < words.length ? `${formatCount(waiting.length)} คำ` : ''}รอตรวจก่อน จึงยังไม่ใช้จับคู่`
}

export function tryDeleteKeywords(list: KeywordListCode, keywords: readonly Keyword[]): Promise<KeywordChangeResult> {
  const words = keywords.map(({ word }) => word)
  const subject = wordsText(words, list)
  return runChange(() => removeKeywords(list, keywords), {
    list,
    done: `ลบ ${subject} แล้ว`,
    failed: `ลบ ${subject} ไม่สำเร็จ`,
    undo: () =>
      void runChange(() => restoreKeywords(list, keywords), {
        list,
        done: `นำ ${subject} กลับมาแล้ว`,
        failed: `นำ ${subject} กลับมาไม่สำเร็จ`,
      }),
  })
}

export function changeKeywordText(list: KeywordListCode, keyword: Keyword, word: string): Promise<KeywordChangeResult> {
  return runChange(() => changeKeywords(list, [{ id: keyword.id, word }]), {
    list,
    done: `แก้ “${keyword.word}” เป็น “${word}” แล้ว`,
    failed: `แก้ “${keyword.word}” ไม่สำเร็จ`,
  })
}

export function setKeywordDocumentSearch({ id, word }: Keyword, on: boolean): Promise<KeywordChangeResult> {
  return runChange(() => changeKeywords('include', [{ id, in_documents: on }]), {
    list: 'include',
    done: on ? `ค้น “${word}” ในเอกสารด้วยแล้ว` : `เลิกค้น “${word}” ในเอกสารแล้ว`,
    failed: on ? `เปิดค้น “${word}” ในเอกสารไม่สำเร็จ` : `ปิดค้น “${word}” ในเอกสารไม่สำเร็จ`,
  })
}

export type KeywordGroupChoice = { readonly group_id: number | null } | { readonly group: string }

export function moveKeywordsToGroup(
  list: KeywordListCode,
  keywords: readonly Keyword[],
  choice: KeywordGroupChoice,
): Promise<KeywordChangeResult> {
  const changes = keywords.map(({ id }): KeywordPatch => ({ id, ...choice }))
  const words = keywords.map(({ word }) => word)
  return runChange(() => changeKeywords(list, changes), { failed: `ย้ายกลุ่ม ${wordsText(words, list)} ไม่สำเร็จ` })
}

export function tryRenameKeywordGroup(id: number, name: string): Promise<KeywordChangeResult> {
  return runChange(() => renameKeywordGroup(id, name), { failed: 'เปลี่ยนชื่อกลุ่มไม่สำเร็จ' })
}

export function trySetSearchModes(switches: SearchModeSwitches): Promise<KeywordChangeResult> {
  return runChange(() => setSearchModes(switches), { failed: 'เปลี่ยนการค้นไม่สำเร็จ' })
}
