import { createMemoryHistory } from '@tanstack/react-router'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { KeywordTraining, KeywordTrainingAnswersRequest } from '#contract/matching/keyword-training.ts'
import { App } from '#src/app/app.tsx'
import { createAppRouter } from '#src/app/router.ts'
import { startHandlingSessionEnd } from '#src/app/start-handling-session-end.ts'
import { buildTestKeyword } from '#src/matching/api/organisation-for-tests.ts'
import { startFakeWatchListApi } from '#src/matching/api/watch-api-for-tests.ts'
import { clearToasts } from '#src/ui/overlay/toast.ts'

const NAMES = ['ซื้อระบบ CCTV', 'วางสายไฟเบอร์ออฟติก', 'ติดตั้งโทรทัศน์วงจรปิด']
const titleAt = (index: number) =>
  index < NAMES.length ? { project_id: String(index), name: NAMES[index]!, terms: ['cctv'] } : null
const LESSON = 'GET organisations/me/keywords/5/lesson'
const ANSWER = 'POST organisations/me/keywords/5/lesson'
const TAKE = 'PUT organisations/me/keywords/5/lesson/terms'

let api: ReturnType<typeof startFakeWatchListApi>
let stop: () => void = () => undefined
let savedAnswers: Map<string, boolean>
let inForce: number
let marks: KeywordTraining['marks']

function lesson(): KeywordTraining {
  const answers = [...savedAnswers].map(([id, is_wanted]) => ({ project_id: id, name: NAMES[Number(id)]!, is_wanted }))
  const off = answers.some(({ is_wanted }) => !is_wanted)
  const index = answers.length
  return {
    keyword_id: 5,
    word: 'กล้องวงจรปิด',
    answers: answers.toReversed(),
    next: titleAt(index),
    after_yes: titleAt(index + 1),
    after_no: titleAt(index + 1),
    marks: marks.filter(({ project_id }) => !savedAnswers.has(project_id)),
    now: { finds: 1200, right: 0.7 },
    taught: off ? { finds: 900, right: 0.9 } : { finds: 1200, right: 0.7 },
    turned: off && inForce === 0 ? [{ term: 'ไฟเบอร์ออฟติก', facet: 0, acts: false, titles: 300 }] : [],
    in_force: inForce,
    share: 0.01,
  }
}

beforeAll(async () => {
  await Promise.all([
    import('#src/matching/pages/watch/watch-page.tsx'),
    import('./keyword-training-dialog.tsx'),
    import('#src/routes/layout/app-layout.tsx'),
  ])
}, 60_000)
beforeEach(() => {
  api = startFakeWatchListApi()
  api.organisation = { ...api.organisation, ai_include: [buildTestKeyword(5, 'กล้องวงจรปิด')] }
  savedAnswers = new Map()
  inForce = 0
  marks = []
  api.answers[LESSON] = () => Response.json(lesson())
  api.answers[ANSWER] = ({ answers }: KeywordTrainingAnswersRequest) => {
    for (const { project_id, is_wanted } of answers)
      is_wanted === null ? savedAnswers.delete(project_id) : savedAnswers.set(project_id, is_wanted)
    return Response.json(lesson())
  }
  api.answers[TAKE] = ({ in_force }: { in_force: boolean }) => {
    inForce = in_force ? 1 : 0
    return Response.json(lesson())
  }
})
afterEach(() => {
  stop()
  act(clearToasts)
  vi.unstubAllGlobals()
})

const ARRIVES = { timeout: 15_000 }
async function open() {
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/watch?lesson=5'] }))
  stop = startHandlingSessionEnd(router)
  render(<App router={router} />)
  const dialog = await screen.findByRole('dialog', { name: 'สอน “กล้องวงจรปิด” ด้วยตัวอย่าง' }, ARRIVES)
  return { router, dialog: within(dialog) }
}
const isAnswered = (...expected: readonly (readonly [string, boolean])[]) =>
  waitFor(() => expect([...savedAnswers]).toEqual(expected))

test('takes answers by physical key, shows the next title at once, and undoes the last', async () => {
  const { dialog } = await open()
  const question = within(await dialog.findByRole('region', { name: 'คำถาม' }, ARRIVES))
  expect(question.getByText('CCTV', { selector: 'mark' })).toBeVisible()
  expect(question.getByText('ข้อ 1 จากราว 20')).toBeVisible()
  let answerNow: () => void = () => undefined
  const answer = api.answers[ANSWER]!
  api.answers[ANSWER] = async (body) => {
    await new Promise<void>((resolve) => {
      answerNow = resolve
    })
    return answer(body)
  }
  await userEvent.keyboard('[KeyJ]')
  expect(await question.findByText(NAMES[1]!)).toBeVisible()
  expect(question.getByText('ข้อ 2 จากราว 20')).toBeVisible()
  await waitFor(() => expect(api.calls(ANSWER)).toHaveLength(1))
  answerNow()
  api.answers[ANSWER] = answer
  await isAnswered(['0', true])
  await userEvent.keyboard('[ArrowLeft]')
  await isAnswered(['0', true], ['1', false])
  expect(await question.findByText(NAMES[2]!)).toBeVisible()
  await userEvent.keyboard('[KeyU]')
  await isAnswered(['0', true])
  expect(await question.findByText(NAMES[1]!)).toBeVisible()
})

test('shows the effect, applies it with undo, and keeps the answers for another day', async () => {
  const { router, dialog } = await open()
  await userEvent.click(await dialog.findByRole('button', { name: 'ไม่เกี่ยว' }, ARRIVES))
  const result = within(dialog.getByRole('region', { name: 'ผลจากคำตอบ' }))
  expect(await result.findByText('เลิกใช้ ไฟเบอร์ออฟติก')).toBeVisible()
  expect(result.getByText('คาดว่าเกี่ยว 90%')).toBeVisible()
  expect(result.getByText('ตัวเลขประมาณจาก 1% ของชื่อทั้งปี')).toBeVisible()
  expect(api.calls(TAKE)).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'ใช้ผลนี้ (1 คำเปลี่ยน)' }))
  expect(await screen.findByText('ปรับคำของ กล้องวงจรปิด ตามตัวอย่างแล้ว')).toBeVisible()
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  await userEvent.click(screen.getByRole('button', { name: 'เลิกทำ' }))
  await waitFor(() => expect(api.calls(TAKE)).toEqual([{ in_force: true }, { in_force: false }]))
  await isAnswered(['0', false])
})

test('changes an earlier answer, and clears and restores all answers', async () => {
  savedAnswers = new Map([
    ['0', true],
    ['1', false],
  ])
  const { dialog } = await open()
  await userEvent.click(await dialog.findByRole('button', { name: 'คำตอบที่ให้ไว้ 2 ข้อ' }, ARRIVES))
  await userEvent.click(dialog.getByRole('button', { name: `ไม่เกี่ยว กดเพื่อเปลี่ยน ${NAMES[1]}` }))
  await isAnswered(['0', true], ['1', true])
  await userEvent.click(dialog.getByRole('button', { name: 'ล้างคำตอบทั้งหมด' }))
  await isAnswered()
  await userEvent.click(await screen.findByRole('button', { name: 'เลิกทำ' }))
  await isAnswered(['0', true], ['1', true])
})

test('turns stars and hides into answers with one press, and undoes it', async () => {
  marks = [
    { project_id: '1', name: NAMES[1]!, is_wanted: false },
    { project_id: '0', name: NAMES[0]!, is_wanted: true },
  ]
  const { dialog } = await open()
  expect(await dialog.findByText(/^คุณติดดาว 1 และซ่อน 1 โครงการ/, {}, ARRIVES)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'ใช้เป็นคำตอบ 2 ข้อ' }))
  await isAnswered(['0', true], ['1', false])
  expect(dialog.queryByText(/^คุณติดดาว/)).toBeNull()
  await userEvent.keyboard('[KeyU]')
  await isAnswered(['0', true])
})

test('restores the title of a refused answer and offers a retry', async () => {
  const { dialog } = await open()
  const yes = await dialog.findByRole('button', { name: 'เกี่ยว' }, ARRIVES)
  const answer = api.answers[ANSWER]!
  api.answers[ANSWER] = () => Response.json({ non_field_errors: ['รอสักครู่'] }, { status: 429 })
  await userEvent.click(yes)
  const errorMessage = await screen.findByText(/^บันทึกคำตอบไม่สำเร็จ/)
  expect(await dialog.findByText('CCTV', { selector: 'mark' })).toBeVisible()
  api.answers[ANSWER] = answer
  await userEvent.click(within(errorMessage.parentElement!).getByRole('button', { name: 'ลองใหม่' }))
  await isAnswered(['0', true])
})

test('reports that no title is left to ask', async () => {
  savedAnswers = new Map(NAMES.map((_, index) => [String(index), index === 2]))
  const { dialog } = await open()
  expect(await dialog.findByText('ไม่มีชื่อไหนที่ตอบแล้วจะเรียนรู้เพิ่ม', {}, ARRIVES)).toBeVisible()
  expect(dialog.getByRole('button', { name: 'เกี่ยว' })).toHaveAttribute('aria-disabled', 'true')
})

test('reports that the word no longer exists', async () => {
  api.answers[LESSON] = () => Response.json({ code: 'not_found' }, { status: 404 })
  const router = createAppRouter(createMemoryHistory({ initialEntries: ['/watch?lesson=5'] }))
  stop = startHandlingSessionEnd(router)
  render(<App router={router} />)
  expect(await screen.findByText('ไม่พบคำนี้ในคำติดตาม', {}, ARRIVES)).toBeVisible()
})
