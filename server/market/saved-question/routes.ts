import { sameName } from '#contract/account/label.ts'
import {
  MOST_QUESTIONS,
  type QuestionsPatch,
  questionsPatchSchema,
  type SavedQuestion,
  type SavedQuestions,
  savedQuestionsSchema,
} from '#contract/market/saved-question.ts'
import { questionAddress, questionText } from '#contract/market/who-wins.ts'
import type { ReportSearch } from '#contract/report/report-params.ts'
import { readWinsInput } from '#server/market/who-wins/routes.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/problem.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { recordUsage, type UsageLine } from '#server/platform/route/usage-events.ts'
import { enqueueLook, enqueueMonthlyMail, monthOf } from './ask-for-jobs.ts'
import {
  deleteQuestion,
  insertQuestion,
  type Keeper,
  listQuestions,
  loadQuestionSettings,
  lockQuestionSettings,
  updateQuestion,
  updateQuestionSettings,
} from './queries.ts'

const tags = ['report']
const config = { feature: 'company_compare', demo: 'forbidden' } as const

const refused = (field: string, text: string) => new ProblemError('bad_input', { fields: { [field]: [text] } })

/** Throws 400 for an invalid change. */
async function patchQuestions(db: Db, keeper: Keeper, patch: QuestionsPatch, at: Date): Promise<SavedQuestions> {
  const { userId } = keeper
  return db.transaction(async (tx) => {
    const before = await lockQuestionSettings(tx, keeper)
    const questions = await listQuestions(tx, userId)
    const lines: UsageLine[] = []
    if (patch.remove) lines.push(...(await remove(tx, keeper, questions, patch.remove.id)))
    if (patch.add) lines.push(...(await add(tx, keeper, questions, patch.add, at)))
    if (patch.change) lines.push(...(await change(tx, keeper, questions, patch.change, at)))
    const { bell = before.bell, mail = before.mail } = patch
    if (bell !== before.bell || mail !== before.mail) {
      await updateQuestionSettings(tx, keeper, { bell, mail })
      lines.push({
        type: 'settings',
        description: 'ตั้งค่าการแจ้งคำถามใครชนะ',
        info: [
          { name: 'กระดิ่ง', value: bell ? 'เปิด' : 'ปิด' },
          { name: 'อีเมล', value: mail ? 'เปิด' : 'ปิด' },
        ],
      })
    }
    await recordUsage(
      tx,
      lines.map((line) => ({ ...line, ...keeper, at })),
    )
    return { questions: await listQuestions(tx, userId), bell, mail }
  })
}

const line = (description: string, { name }: Pick<SavedQuestion, 'name'>, ...more: (readonly [string, string])[]) => ({
  type: 'filter' as const,
  description,
  info: [['คำถาม', name] as const, ...more].map(([key, value]) => ({ name: key, value })),
})

async function remove(tx: Db, { userId }: Keeper, questions: readonly SavedQuestion[], id: string) {
  const question = questions.find((one) => one.id === id)
  if (!question) return []
  await deleteQuestion(tx, userId, id)
  return [line('ลบคำถามใครชนะที่บันทึก', question)]
}

async function add(
  tx: Db,
  keeper: Keeper,
  before: readonly SavedQuestion[],
  wanted: NonNullable<QuestionsPatch['add']>,
  at: Date,
) {
  if (before.some(({ id }) => id === wanted.id)) return []
  if (before.length >= MOST_QUESTIONS) throw refused('add', `บันทึกได้ไม่เกิน ${MOST_QUESTIONS} คำถาม ลบคำถามที่ไม่ใช้ก่อน`)
  refuseNamesake(before, wanted.name)
  const search = readable(wanted.address)
  await insertQuestion(tx, keeper, { ...wanted, address: questionAddress(search) }, { at, month: monthOf(at) })
  // The first check sets the baseline; only later changes are reported.
  await enqueueLook(tx, keeper, at)
  if (wanted.monthly) await enqueueMonthlyMail(tx, keeper, at)
  return [line('บันทึกคำถามใครชนะ', wanted, ['ถาม', questionText(search, [])])]
}

function readable(address: Readonly<Record<string, string>>): ReportSearch {
  const { search, ignored } = readWinsInput(address)
  if (ignored.length > 0) throw refused('add', `อ่านส่วนนี้ของคำถามไม่ได้: ${ignored.join(', ')}`)
  return search
}

function refuseNamesake(questions: readonly SavedQuestion[], name: string, id?: string): void {
  if (questions.some((one) => one.id !== id && sameName(one.name, name))) throw refused('name', 'มีคำถามชื่อนี้แล้ว ตั้งชื่ออื่น')
}

async function change(
  tx: Db,
  keeper: Keeper,
  questions: readonly SavedQuestion[],
  { id, again, name, monthly, on_change: isTold }: NonNullable<QuestionsPatch['change']>,
  at: Date,
) {
  const was = questions.find((one) => one.id === id)
  if (!was) return []
  if (name !== undefined) refuseNamesake(questions, name, id)
  const next = {
    ...was,
    name: name ?? was.name,
    monthly: monthly ?? was.monthly,
    on_change: isTold ?? was.on_change,
    problem: again ? null : was.problem,
  }
  await updateQuestion(tx, keeper.userId, next, monthOf(at))
  if ((next.on_change && !was.on_change) || again) await enqueueLook(tx, keeper, at)
  if (next.monthly && (!was.monthly || again)) await enqueueMonthlyMail(tx, keeper, at)
  if (next.name !== was.name) return [line('เปลี่ยนชื่อคำถามใครชนะ', { name: `${was.name} → ${next.name}` })]
  const isOn = (on: boolean) => (on ? 'เปิด' : 'ปิด')
  return [line('เปลี่ยนการแจ้งของคำถามใครชนะ', next, ['รายเดือน', isOn(next.monthly)], ['เมื่อเปลี่ยน', isOn(next.on_change)])]
}

/** GET and PATCH /users/me/questions: the saved questions of the view ใครชนะ. Not available in the demo (C6). */
export function questionRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context
  app.get(
    '/users/me/questions',
    { config, schema: { tags, summary: 'The saved questions of who wins', response: { 200: savedQuestionsSchema } } },
    async (request) => {
      const { userId } = await context.actorOf(request)
      return { questions: await listQuestions(db, userId), ...(await loadQuestionSettings(db, userId)) }
    },
  )
  app.patch(
    '/users/me/questions',
    {
      config,
      schema: {
        tags,
        summary: 'Keep, rename, forget a question, or choose what is told of it',
        body: questionsPatchSchema,
        response: { 200: savedQuestionsSchema },
      },
    },
    async (request) => {
      const { userId, organisationId } = await context.actorOf(request)
      return patchQuestions(db, { userId, organisationId }, request.body, context.now())
    },
  )
}
