import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { KeywordTerm, KeywordTermExpansion } from '#contract/matching/keyword-term.ts'
import type { KeywordTraining, NewKeywordTraining } from '#contract/matching/keyword-training.ts'
import { startFakeNetwork, stopFakeNetwork } from '#src/api/http/network-for-tests.ts'
import { queryClient } from '#src/api/http/query-client.ts'
import { UnsavedKeywordTermPicker } from './draft-term-picker.tsx'
import type { AiTermListCode } from './term-text.ts'

const term = (text: string, state: 'auto' | 'suggested', change: Partial<KeywordTerm> = {}): KeywordTerm => ({
  term: text,
  source: 'learned',
  state,
  similarity: 0.9,
  facet: 0,
  title_count: 3,
  samples: [],
  ...change,
})
const EXPANSION: KeywordTermExpansion = {
  engine: 'คำใกล้เคียงที่ระบบเรียนรู้จากชื่อโครงการ e-GP 973,923 รายการ',
  known: true,
  terms: [
    term('เครื่องแม่ข่าย', 'auto', { source: 'literal', similarity: 1 }),
    term('server', 'auto'),
    term('storage', 'suggested', { similarity: 0.6 }),
  ],
}

function setUp(list: AiTermListCode = 'ai_include', chosen?: { approve: string[]; reject: string[] }) {
  const network = startFakeNetwork()
  const onChange = vi.fn()
  const drawn = (word: string) => (
    <QueryClientProvider client={queryClient}>
      <UnsavedKeywordTermPicker word={word} list={list} chosen={chosen} onChange={onChange} />
    </QueryClientProvider>
  )
  const { rerender } = render(drawn('เครื่องแม่ข่าย'))
  const calls = () => network.to('organisations/me/keywords/expand')
  const waitForCalls = (times: number) => vi.waitFor(() => expect(calls()).toHaveLength(times), { timeout: 5000 })
  const evidence = () => network.to('organisations/me/keywords/evidence')
  return { calls, asked: waitForCalls, onChange, evidence, type: (word: string) => rerender(drawn(word)) }
}
afterEach(stopFakeNetwork)

test('expands a word before it is saved and describes the engine', async () => {
  const { calls, asked: waitForCalls, onChange } = setUp()
  await waitForCalls(1)
  expect(calls()[0]!.body).toEqual({ word: 'เครื่องแม่ข่าย' })
  calls()[0]!.answer(EXPANSION)
  expect(await screen.findByText(/e-GP 973,923 รายการ ตรวจและเลือกได้ทุกคำ/)).toBeInTheDocument()
  expect(screen.getByRole('checkbox', { name: /server/ })).toBeChecked()
  expect(onChange).not.toHaveBeenCalled()
})

test('reports approved, rejected and active terms on each tick', async () => {
  const { calls, asked: waitForCalls, onChange } = setUp()
  await waitForCalls(1)
  calls()[0]!.answer(EXPANSION)
  await userEvent.click(await screen.findByRole('checkbox', { name: /storage/ }))
  expect(onChange).toHaveBeenLastCalledWith(['storage'], [], ['เครื่องแม่ข่าย', 'server', 'storage'])
  await userEvent.click(screen.getByRole('checkbox', { name: /server/ }))
  expect(onChange).toHaveBeenLastCalledWith(['storage'], ['server'], ['เครื่องแม่ข่าย', 'storage'])
  await userEvent.click(screen.getByRole('checkbox', { name: /storage/ }))
  expect(onChange).toHaveBeenLastCalledWith([], ['server', 'storage'], ['เครื่องแม่ข่าย'])
})

test('approves a custom term and forgets it when unticked', async () => {
  const { calls, asked: waitForCalls, onChange } = setUp()
  await waitForCalls(1)
  calls()[0]!.answer(EXPANSION)
  await userEvent.click(await screen.findByRole('button', { name: 'เพิ่มคำเอง' }))
  await userEvent.keyboard('เซิร์ฟเวอร์{Enter}')
  expect(onChange).toHaveBeenLastCalledWith(['เซิร์ฟเวอร์'], [], ['เครื่องแม่ข่าย', 'server', 'เซิร์ฟเวอร์'])
  await userEvent.click(screen.getByRole('checkbox', { name: 'เซิร์ฟเวอร์' }))
  expect(onChange).toHaveBeenLastCalledWith([], [], ['เครื่องแม่ข่าย', 'server'])
})

test('requires a tick for terms of an exclusion that the engine accepts by default', async () => {
  const { calls, asked: waitForCalls, onChange } = setUp('ai_exclude')
  await waitForCalls(1)
  calls()[0]!.answer(EXPANSION)
  const server = await screen.findByRole('checkbox', { name: /server/ })
  expect(server).not.toBeChecked()
  await userEvent.click(server)
  expect(onChange).toHaveBeenLastCalledWith(['server'], [], ['เครื่องแม่ข่าย', 'server'])
})

test('requests a new word once typing pauses and clears the selection', async () => {
  const { calls, asked: waitForCalls, type, onChange } = setUp()
  await waitForCalls(1)
  calls()[0]!.answer(EXPANSION)
  await userEvent.click(await screen.findByRole('checkbox', { name: /storage/ }))
  for (const word of ['เครื่อง', 'เครื่องพิมพ์', 'เครื่องพิมพ์เลเซอร์']) type(word)
  onChange.mockClear()
  await userEvent.click(screen.getByRole('checkbox', { name: /server/ }))
  expect(onChange).not.toHaveBeenCalled()
  await waitForCalls(2)
  expect(calls()[1]!.body).toEqual({ word: 'เครื่องพิมพ์เลเซอร์' })
  calls()[1]!.answer({ ...EXPANSION, known: false, terms: [term('storage', 'suggested')] })
  expect(await screen.findByText(/ระบบไม่เคยพบคำนี้/)).toBeInTheDocument()
  expect(screen.getByRole('checkbox', { name: /storage/ })).not.toBeChecked()
})

test('restores the choices made earlier for a word', async () => {
  const {
    calls,
    asked: waitForCalls,
    onChange,
    evidence,
  } = setUp('ai_include', {
    approve: ['storage', 'เซิร์ฟเวอร์'],
    reject: ['server'],
  })
  await waitForCalls(1)
  calls()[0]!.answer(EXPANSION)
  expect(await screen.findByRole('checkbox', { name: /storage/ })).toBeChecked()
  expect(screen.getByRole('checkbox', { name: 'เซิร์ฟเวอร์' })).toBeChecked()
  expect(screen.queryByRole('checkbox', { name: /server/ })).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'ตรวจด้วยชื่อจริง 3 คำ' }))
  await vi.waitFor(() => expect(evidence()).toHaveLength(1))
  evidence()[0]!.answer({ from: '2025-11-22', to: '2026-11-21', titles: 9, share: 1, terms: [] })
  const server = within(await screen.findByRole('listitem', { name: 'server' }))
  expect(server.getByRole('button', { name: 'ไม่' })).toHaveAttribute('aria-pressed', 'true')
  await userEvent.click(server.getByRole('button', { name: 'ใช่' }))
  expect(onChange).toHaveBeenLastCalledWith(
    ['storage', 'เซิร์ฟเวอร์', 'server'],
    [],
    ['เครื่องแม่ข่าย', 'server', 'storage', 'เซิร์ฟเวอร์'],
  )
})

test('allows saving without an expansion, and retries on click', async () => {
  const { calls, asked: waitForCalls } = setUp()
  await waitForCalls(1)
  calls()[0]!.answer({ non_field_errors: ['ทำรายการถี่เกินไป'] }, 429)
  expect(await screen.findByRole('alert')).toHaveTextContent('บันทึกคำนี้ได้ ระบบจะขยายให้ภายหลัง')
  await userEvent.click(screen.getByRole('button', { name: 'ลองใหม่' }))
  await waitForCalls(2)
})

describe('teaching by examples before the word is saved', () => {
  const LESSON = 'organisations/me/keywords/lesson'
  const titleAt = (n: number) => ({ project_id: `${n}`, name: `ซื้อ server เครื่องที่ ${n}`, terms: ['server'] })
  /** Fakes the server, which removes the term `server` once a title is rejected. */
  const lessonAfter = ({ answers }: NewKeywordTraining): KeywordTraining => {
    const off = answers.some(({ is_wanted }) => !is_wanted)
    const n = answers.length
    return {
      keyword_id: 0,
      word: 'เครื่องแม่ข่าย',
      answers: answers.map((answer) => ({ ...answer, name: titleAt(Number(answer.project_id)).name })).toReversed(),
      next: titleAt(n),
      after_yes: titleAt(n + 1),
      after_no: titleAt(n + 1),
      marks: [],
      now: { finds: 120, right: 0.7 },
      taught: off ? { finds: 90, right: 0.9 } : { finds: 120, right: 0.7 },
      turned: off ? [{ term: 'server', facet: 0, acts: false, titles: 30 }] : [],
      in_force: 0,
      share: 1,
    }
  }

  beforeAll(() => import('#src/matching/lesson/unsaved-keyword-training.tsx').then(() => undefined), 60_000)

  function setUp(list: AiTermListCode = 'ai_include') {
    let fails = false
    const network = startFakeNetwork(({ path, body }) => {
      if (path === 'organisations/me/keywords/expand') return EXPANSION
      return path === LESSON && !fails ? lessonAfter(body as NewKeywordTraining) : undefined
    })
    const onChange = vi.fn()
    let storedLesson: NewKeywordTraining | undefined
    function Box() {
      const [lesson, setLesson] = useState<NewKeywordTraining>()
      storedLesson = lesson
      return (
        <QueryClientProvider client={queryClient}>
          <UnsavedKeywordTermPicker
            word="เครื่องแม่ข่าย"
            list={list}
            onChange={onChange}
            lesson={lesson}
            onLesson={list === 'ai_include' ? setLesson : undefined}
          />
        </QueryClientProvider>
      )
    }
    render(<Box />)
    const open = async () => {
      await userEvent.click(await screen.findByRole('button', { name: /^สอนด้วยตัวอย่าง/ }, { timeout: 5000 }))
      return within(await screen.findByRole('dialog', { name: 'สอน “เครื่องแม่ข่าย” ด้วยตัวอย่าง' }))
    }
    const lose = () => {
      fails = true
    }
    return { network, onChange, open, kept: () => storedLesson, lose }
  }

  test('keeps the answers, applies them to terms and preview, and lets a tick override them', async () => {
    const { onChange, open, kept: storedLesson } = setUp()
    const dialog = await open()
    expect(await dialog.findByText(/เครื่องที่ 0/)).toBeVisible()
    await userEvent.keyboard('[KeyJ]')
    expect(dialog.getByText(/เครื่องที่ 1/)).toBeVisible()
    await userEvent.keyboard('[KeyK]')
    await userEvent.click(await dialog.findByRole('button', { name: 'ใช้ผลนี้ (1 คำเปลี่ยน)' }))
    const answers = [
      { project_id: '0', is_wanted: true },
      { project_id: '1', is_wanted: false },
    ]
    expect(storedLesson()).toEqual({ answers, turned: [{ term: 'server', facet: 0, acts: false }] })
    expect(onChange).toHaveBeenLastCalledWith([], [], ['เครื่องแม่ข่าย'])
    expect(screen.getByRole('button', { name: 'สอนด้วยตัวอย่าง (ตอบแล้ว 2 ข้อ)' })).toBeVisible()
    const chip = screen.getByRole('checkbox', { name: /server/ })
    expect(chip).not.toBeChecked()
    await userEvent.click(chip)
    expect(chip).toBeChecked()
    expect(onChange).toHaveBeenLastCalledWith(['server'], [], ['เครื่องแม่ข่าย', 'server'])
  })

  test('undoes an answer with U; a failed lesson offers a retry and loses no answer', async () => {
    const { network, open, kept: storedLesson, lose } = setUp()
    const dialog = await open()
    await dialog.findByText(/เครื่องที่ 0/)
    await userEvent.keyboard('[KeyJ][KeyU]')
    expect(storedLesson()?.answers).toEqual([])
    expect(await dialog.findByText(/เครื่องที่ 0/)).toBeVisible()
    lose()
    await userEvent.keyboard('[KeyK]')
    await vi.waitFor(() => expect(network.to(LESSON).at(-1)?.body).toMatchObject({ answers: [{ is_wanted: false }] }))
    network
      .to(LESSON)
      .at(-1)!
      .answer({ non_field_errors: ['รอสักครู่'] }, 400)
    expect(await dialog.findByText('เปิดบทเรียนไม่สำเร็จ')).toBeVisible()
    expect(storedLesson()?.answers).toHaveLength(1)
    await userEvent.click(dialog.getByRole('button', { name: 'ลองใหม่' }))
    await vi.waitFor(() => expect(network.to(LESSON).at(-1)?.body).toMatchObject({ answers: [{ is_wanted: false }] }))
  })

  test('adds a term changed by the answers to the chips', async () => {
    const waiting = Array.from({ length: 6 }, (_, n) => term(`คำที่ ${n}`, 'suggested', { similarity: 0.6 - n / 100 }))
    startFakeNetwork(({ path }) =>
      path === 'organisations/me/keywords/expand'
        ? { ...EXPANSION, terms: [...EXPANSION.terms, ...waiting] }
        : undefined,
    )
    const drawn = (lesson: NewKeywordTraining | undefined) => (
      <QueryClientProvider client={queryClient}>
        <UnsavedKeywordTermPicker
          word="เครื่องแม่ข่าย"
          list="ai_include"
          onChange={vi.fn()}
          lesson={lesson}
          onLesson={vi.fn()}
        />
      </QueryClientProvider>
    )
    const { rerender } = render(drawn(undefined))
    expect(await screen.findByRole('checkbox', { name: /server/ }, { timeout: 5000 })).toBeChecked()
    expect(screen.queryByRole('checkbox', { name: /คำที่ 5/ })).toBeNull()
    rerender(
      drawn({ answers: [{ project_id: '1', is_wanted: true }], turned: [{ term: 'คำที่ 5', facet: 0, acts: true }] }),
    )
    expect(screen.getByRole('checkbox', { name: /คำที่ 5/ })).toBeChecked()
  })

  test('is not offered for an exclusion, which hides silently', async () => {
    setUp('ai_exclude')
    expect(await screen.findByRole('checkbox', { name: /server/ }, { timeout: 5000 })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^สอนด้วยตัวอย่าง/ })).toBeNull()
  })
})
