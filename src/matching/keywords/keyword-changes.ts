import type { Keyword, KeywordList, Organisation } from '#contract/account/organisation.ts'
import { PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { KEYWORD_LIST_FACTS, type KeywordErrors, keywordKey } from '#contract/matching/keyword.ts'
import { isDemo } from '#src/account/api/demo.ts'
import { organisationKeys } from '#src/api/http/keys.ts'
import { errorMessage, isWorthRetrying } from '#src/api/http/problem-error.ts'
import { overlaidData } from '#src/api/optimistic.ts'
import { countText } from '#src/lib/money-text.ts'
import type { NewWord, Switches, WordChange } from '#src/matching/api/keyword-edits.ts'
import {
  addKeywords,
  changeKeywords,
  isRefusal,
  keywordErrorsOf,
  removeKeywords,
  renameGroup,
  restoreKeywords,
  setSwitches,
} from '#src/matching/api/keywords.ts'
import { showToast } from '#src/ui/overlay/toast.ts'
import { recordServerLock } from './list-lock.tsx'
import { unitOf } from './list-looks.ts'
import { type ListStatus, listStatus } from './list-status.ts'

export type ChangeResult =
  | { readonly ok: true }
  | {
      readonly ok: false
      readonly errors: KeywordErrors | undefined
      readonly reason: string
      readonly error: unknown
    }

type ChangeMessages = {
  /** List whose status strip shows the result; undefined where no word was added or deleted. */
  readonly list?: KeywordList
  readonly done?: string
  readonly undo?: () => void
  readonly failed: string
  /** Appended to `done`; evaluated after success. */
  readonly note?: () => string
}

const organisation = () => overlaidData<Organisation>(organisationKeys.me)

async function runChange(send: () => Promise<void>, messages: ChangeMessages): Promise<ChangeResult> {
  const { list, done, undo, failed, note } = messages
  const tell = (status: Omit<ListStatus, 'list'>) => list && listStatus.set({ list, ...status })
  if (isDemo()) {
    tell({ tone: 'error', text: PROBLEM_TEXTS.demo_read_only })
    showToast({ tone: 'error', key: 'demo', text: PROBLEM_TEXTS.demo_read_only })
    return { ok: false, errors: undefined, reason: PROBLEM_TEXTS.demo_read_only, error: undefined }
  }
  try {
    await send()
    if (done !== undefined) {
      tell({ tone: 'success', text: `${done}${note?.() ?? ''}` })
      if (undo) showToast({ tone: 'done', text: done, action: { label: 'เลิกทำ', run: undo } })
    }
    return { ok: true }
  } catch (error) {
    const errors = keywordErrorsOf(error)
    const config = organisation()?.customer_config
    if (isRefusal(error, 'lists_locked') && config) recordServerLock(config)
    const reason = errors ? reasonOf(errors, list) : errorMessage(error)
    tell({ tone: 'error', text: `${failed}: ${reason}`, ...(errors ? { named: namedWords(errors) } : {}) })
    const retry = () => void runChange(send, messages)
    // Word errors are shown next to the word, everything else in a toast.
    if (!errors || !list)
      showToast({
        tone: 'error',
        text: `${failed}: ${reason}`,
        ...(isWorthRetrying(error) ? { action: { label: 'ลองอีกครั้ง', run: retry } } : {}),
      })
    return { ok: false, errors, reason, error }
  }
}

const textOf = (text: string | string[] | undefined) => (Array.isArray(text) ? text[0] : text)

/** Prefers the server's text for this list, else the first other error (specification section 8). */
function reasonOf({ errors, non_field_errors, lines }: KeywordErrors, list: KeywordList | undefined): string {
  const listReason = list && textOf(errors[KEYWORD_LIST_FACTS[list].payload])
  return listReason ?? lines[0]?.message ?? non_field_errors[0] ?? PROBLEM_TEXTS.bad_input
}

function namedWords({ errors }: KeywordErrors): NonNullable<ListStatus['named']> {
  const groups = [
    { title: 'คำที่ใช้ไม่ได้', words: errors.blacklisted_words },
    { title: 'วงเล็บไม่ครบคู่', words: errors.invalid_brackets },
  ]
  return groups.flatMap(({ title, words }) => (Array.isArray(words) && words.length > 0 ? [{ title, words }] : []))
}

/** `“ยา”`, or `3 คำ` for several. */
const wordsText = (words: readonly string[], list: KeywordList) =>
  words.length === 1 ? `“${words[0]}”` : `${countText(words.length)} ${unitOf(list)}`

export function addWords(words: readonly NewWord[]): Promise<ChangeResult> {
  const list = words[0]!.list
  const main = words.filter((word) => word.list === list).map(({ entry }) => entry.word)
  const excludedCount = words.length - main.length
  const subject = `${wordsText(main, list)}${excludedCount > 0 ? ` และคำไม่รวม ${countText(excludedCount)} คำ` : ''}`
  return runChange(() => addKeywords(words), {
    list,
    done: `เพิ่ม ${subject} แล้ว`,
    failed: `เพิ่ม ${subject} ไม่สำเร็จ`,
    note: () => waitingNote(list, main),
  })
}

/** Note about stored words that await approval and do not match yet (D11). */
function waitingNote(list: KeywordList, words: readonly string[]): string {
  const added = new Set(words.map(keywordKey))
  const waiting = organisation()?.[list].filter(({ word, approved }) => !approved && added.has(keywordKey(word))) ?? []
  if (waiting.length === 0) return ''
  return ` ${waiting.length < words.length ? `${countText(waiting.length)} คำ` : ''}รอตรวจก่อน จึงยังไม่ใช้จับคู่`
}

export function deleteWords(list: KeywordList, keywords: readonly Keyword[]): Promise<ChangeResult> {
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

export function rewordKeyword(list: KeywordList, keyword: Keyword, word: string): Promise<ChangeResult> {
  return runChange(() => changeKeywords(list, [{ id: keyword.id, word }]), {
    list,
    done: `แก้ “${keyword.word}” เป็น “${word}” แล้ว`,
    failed: `แก้ “${keyword.word}” ไม่สำเร็จ`,
  })
}

export function setDocumentSearch({ id, word }: Keyword, on: boolean): Promise<ChangeResult> {
  return runChange(() => changeKeywords('include', [{ id, in_documents: on }]), {
    list: 'include',
    done: on ? `ค้น “${word}” ในเอกสารด้วยแล้ว` : `เลิกค้น “${word}” ในเอกสารแล้ว`,
    failed: on ? `เปิดค้น “${word}” ในเอกสารไม่สำเร็จ` : `ปิดค้น “${word}” ในเอกสารไม่สำเร็จ`,
  })
}

export type GroupChoice = { readonly group_id: number | null } | { readonly group: string }

export function regroupKeywords(
  list: KeywordList,
  keywords: readonly Keyword[],
  choice: GroupChoice,
): Promise<ChangeResult> {
  const changes = keywords.map(({ id }): WordChange => ({ id, ...choice }))
  const subject = wordsText(
    keywords.map(({ word }) => word),
    list,
  )
  return runChange(() => changeKeywords(list, changes), { failed: `ย้ายกลุ่ม ${subject} ไม่สำเร็จ` })
}

export function nameGroup(id: number, name: string): Promise<ChangeResult> {
  return runChange(() => renameGroup(id, name), { failed: 'เปลี่ยนชื่อกลุ่มไม่สำเร็จ' })
}

export function changeSwitches(switches: Switches): Promise<ChangeResult> {
  return runChange(() => setSwitches(switches), { failed: 'เปลี่ยนการค้นไม่สำเร็จ' })
}
