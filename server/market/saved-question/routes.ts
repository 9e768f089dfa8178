import { isSameDisplayName } from '#contract/account/label.ts'
import {
  MAX_SAVED_QUESTIONS,
  type SavedQuestion,
  type SavedQuestions,
  type SavedQuestionsPatch,
  savedQuestionsPatchSchema,
  savedQuestionsSchema,
} from '#contract/market/saved-question.ts'
import { buildSavedQuestionParams, formatSavedQuestion } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { parseWhoWinsInput } from '#server/market/who-wins/routes.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { recordUsageEvents, type UsageActionDescription } from '#server/platform/route/usage-events.ts'
import {
  enqueueMonthlySavedQuestionMail,
  enqueueSavedQuestionCheck,
  getBangkokMonthStart,
} from './enqueue-question-jobs.ts'
import {
  deleteSavedQuestion,
  insertSavedQuestion,
  listSavedQuestions,
  loadSavedQuestionSettings,
  lockSavedQuestionSettings,
  type SavedQuestionOwner,
  updateSavedQuestion,
  updateSavedQuestionSettings,
} from './queries.ts'

const tags = ['report']
const config = { feature: 'company_compare', demo: 'forbidden' } as const

const refused = (field: string, text: string) => new ProblemError('bad_input', { fields: { [field]: [text] } })

async function patchQuestions(
  db: Db,
  owner: SavedQuestionOwner,
  patch: SavedQuestionsPatch,
  at: Date,
): Promise<SavedQuestions> {
  const { userId } = owner
  return db.transaction(async (tx) => {
    const currentSettings = await lockSavedQuestionSettings(tx, owner)
    const questions = await listSavedQuestions(tx, userId)
    const usageLines: UsageActionDescription[] = []
    if (patch.remove) usageLines.push(...(await removeQuestion(tx, owner, questions, patch.remove.id)))
    if (patch.add) usageLines.push(...(await addQuestion(tx, owner, questions, patch.add, at)))
    if (patch.change) usageLines.push(...(await changeQuestion(tx, owner, questions, patch.change, at)))
    const { bell = currentSettings.bell, mail = currentSettings.mail } = patch
    if (bell !== currentSettings.bell || mail !== currentSettings.mail) {
      await updateSavedQuestionSettings(tx, owner, { bell, mail })
      usageLines.push({
        type: 'settings',
        description: 'ตั้งค่าการแจ้งคำถามใครชนะ',
        info: [
          { name: 'กระดิ่ง', value: bell ? 'เปิด' : 'ปิด' },
          { name: 'อีเมล', value: mail ? 'เปิด' : 'ปิด' },
        ],
      })
    }
    await recordUsageEvents(
      tx,
      usageLines.map((usageLine) => ({ ...usageLine, ...owner, at })),
    )
    return { questions: await listSavedQuestions(tx, userId), bell, mail }
  })
}

const toUsageLine = (
  description: string,
  { name }: Pick<SavedQuestion, 'name'>,
  ...extraInfo: (readonly [string, string])[]
) => ({
  type: 'filter' as const,
  description,
  info: [['คำถาม', name] as const, ...extraInfo].map(([key, value]) => ({ name: key, value })),
})

async function removeQuestion(tx: Db, { userId }: SavedQuestionOwner, questions: readonly SavedQuestion[], id: string) {
  const question = questions.find((candidate) => candidate.id === id)
  if (!question) return []
  await deleteSavedQuestion(tx, userId, id)
  return [toUsageLine('ลบคำถามใครชนะที่บันทึก', question)]
}

async function addQuestion(
  tx: Db,
  owner: SavedQuestionOwner,
  existing: readonly SavedQuestion[],
  newQuestion: NonNullable<SavedQuestionsPatch['add']>,
  at: Date,
) {
  if (existing.some(({ id }) => id === newQuestion.id)) return []
  if (existing.length >= MAX_SAVED_QUESTIONS)
    throw refused('add', `บันทึกได้ไม่เกิน ${MAX_SAVED_QUESTIONS} คำถาม ลบคำถามที่ไม่ใช้ก่อน`)
  rejectDuplicateName(existing, newQuestion.name)
  const search = parseAddress(newQuestion.address)
  await insertSavedQuestion(
    tx,
    owner,
    { ...newQuestion, address: buildSavedQuestionParams(search) },
    { at, month: getBangkokMonthStart(at) },
  )
  await enqueueSavedQuestionCheck(tx, owner, at)
  if (newQuestion.monthly) await enqueueMonthlySavedQuestionMail(tx, owner, at)
  return [toUsageLine('บันทึกคำถามใครชนะ', newQuestion, ['ถาม', formatSavedQuestion(search, [])])]
}

function parseAddress(address: Readonly<Record<string, string>>): ReportSearch {
  const { search, ignored } = parseWhoWinsInput(address)
  if (ignored.length > 0) throw refused('add', `อ่านส่วนนี้ของคำถามไม่ได้: ${ignored.join(', ')}`)
  return search
}

function rejectDuplicateName(questions: readonly SavedQuestion[], name: string, id?: string): void {
  if (questions.some((question) => question.id !== id && isSameDisplayName(question.name, name)))
    throw refused('name', 'มีคำถามชื่อนี้แล้ว ตั้งชื่ออื่น')
}

async function changeQuestion(
  tx: Db,
  owner: SavedQuestionOwner,
  questions: readonly SavedQuestion[],
  { id, again: isRetry, name, monthly, on_change: newOnChange }: NonNullable<SavedQuestionsPatch['change']>,
  at: Date,
) {
  const current = questions.find((question) => question.id === id)
  if (!current) return []
  if (name !== undefined) rejectDuplicateName(questions, name, id)
  const updated = {
    ...current,
    name: name ?? current.name,
    monthly: monthly ?? current.monthly,
    on_change: newOnChange ?? current.on_change,
    problem: isRetry ? null : current.problem,
  }
  await updateSavedQuestion(tx, owner.userId, updated, getBangkokMonthStart(at))
  if ((updated.on_change && !current.on_change) || isRetry) await enqueueSavedQuestionCheck(tx, owner, at)
  if (updated.monthly && (!current.monthly || isRetry)) await enqueueMonthlySavedQuestionMail(tx, owner, at)
  if (updated.name !== current.name)
    return [toUsageLine('เปลี่ยนชื่อคำถามใครชนะ', { name: `${current.name} → ${updated.name}` })]
  const isOn = (on: boolean) => (on ? 'เปิด' : 'ปิด')
  return [
    toUsageLine(
      'เปลี่ยนการแจ้งของคำถามใครชนะ',
      updated,
      ['รายเดือน', isOn(updated.monthly)],
      ['เมื่อเปลี่ยน', isOn(updated.on_change)],
    ),
  ]
}

/** GET and PATCH /users/me/questions: the saved questions of the view ใครชนะ. Not available in the demo (C6). */
export function savedQuestionRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  app.get(
    '/users/me/questions',
    {
      config,
      schema: { tags, summary: 'List the saved questions about who wins', response: { 200: savedQuestionsSchema } },
    },
    async (request) => {
      const { userId } = await context.actorOf(request)
      return { questions: await listSavedQuestions(db, userId), ...(await loadSavedQuestionSettings(db, userId)) }
    },
  )
  app.patch(
    '/users/me/questions',
    {
      config,
      schema: {
        tags,
        summary: 'Save, rename or delete a question about who wins. Can also choose what it sends notifications about',
        body: savedQuestionsPatchSchema,
        response: { 200: savedQuestionsSchema },
      },
    },
    async (request) => {
      const { userId, organisationId } = await context.actorOf(request)
      return patchQuestions(db, { userId, organisationId }, request.body, context.now())
    },
  )
}
