import sql from 'sql-template-tag'
import { type SavedQuestions, type SavedQuestionsPatch, savedQuestionsSchema } from '#contract/market/saved-question.ts'
import { seedSampleOrganisations } from '#sample/accounts/seed-sample.ts'
import { updateCompanyFacts } from '#server/market/company/update-company-facts.ts'
import { enqueueSavedQuestionChecksAfterLoad } from '#server/market/saved-question/enqueue-question-jobs.ts'
import { savedQuestionJob } from '#server/market/saved-question/saved-question-job.ts'
import type { SavedQuestionJobDependencies } from '#server/market/saved-question/saved-question-job-dependencies.ts'
import { matchDataLoadProjects } from '#server/matching/match-load-projects.ts'
import type { OpenDb } from '#server/platform/engine/db.ts'
import { createOutgoingMailQueue } from '#server/platform/route/outgoing-mail.ts'
import type { RouteApp } from '#server/platform/route/route-app.ts'
import { createMailLinkBuilder } from '#server/report/mail/build-mail-links.ts'
import { createMailLinkTokens } from '#server/report/mail/mail-link-token.ts'
import { runDue } from '../jobs.ts'
import { emptyTables } from '../server/empty-tables.ts'
import { appOn, type SignedIn, signIn, TEST_SECRET } from '../server/http-app.ts'
import { type OpenedMail, queuedMails } from '../server/mails.ts'
import { addLoad, setWords } from './report-world.ts'
import { putWonProjects, type WonProject } from './won-projects.ts'

export const SUPER_USER_EMAIL = 'manager@tharamek.example'
/** `NOW` is a Saturday, 10:00 in Bangkok; `MORNING` is the next morning. */
export const NOW = new Date('2026-11-21T03:00:00Z')
export const MORNING = new Date('2026-11-22T01:30:00Z')
const BASE = 'https://tamngan.example'

const mails = createOutgoingMailQueue({ secrets: [TEST_SECRET], baseUrl: () => BASE })
const tokens = createMailLinkTokens([TEST_SECRET])
export const questionJobDependencies: SavedQuestionJobDependencies = {
  questions: {
    mails,
    awards: undefined,
    linksFor: (userId, now) => createMailLinkBuilder({ mails, tokens }, userId, now),
  },
}

const company = (at: number) => ({ name: `บริษัท ทดลอง ${at} จำกัด`, tin: `01055000000${String(at).padStart(2, '0')}` })

export function createWonProject(
  id: string,
  by: number | { name: string; tin: string | null },
  { baht = 1_000_000, signedOn = '2026-11-10', name = 'ซื้อกล้องวงจรปิด' } = {},
): WonProject {
  const winner = typeof by === 'number' ? company(by) : by
  return { id, name, year: 2570, contracts: [{ ...winner, amount: baht * 100, signedOn }] }
}

export const FIRST_AWARDS = [
  createWonProject('67000000001', 1, { baht: 9_000_000 }),
  createWonProject('67000000002', 2, { baht: 8_000_000 }),
  createWonProject('67000000003', 3, { baht: 7_000_000 }),
  createWonProject('67000000004', 4, { baht: 2_000_000 }),
  createWonProject('67000000005', 4, { baht: 1_000_000 }),
  createWonProject('67000000006', { name: 'นายสมชาย ใจดี', tin: '330960000xxxx' }, { baht: 5_000_000 }),
]

export async function makeQuestionWorld(db: OpenDb, clock: () => Date) {
  await seedSampleOrganisations(db, '2026-11-21')
  const [me] = await db.query<{ id: number; organisation_id: number }>(
    sql`select id, organisation_id from users where email_key = ${SUPER_USER_EMAIL}`,
  )
  await setWords(db, me!.organisation_id, { include: ['กล้อง'] })
  const app: RouteApp = await appOn(db, { now: clock })
  let session: { readonly at: number; readonly user: SignedIn } | undefined
  /** Signs in again whenever the clock has moved, because the session would expire when a test skips days. */
  const boss = async () => {
    if (session?.at !== clock().getTime())
      session = { at: clock().getTime(), user: await signIn(app, SUPER_USER_EMAIL) }
    return session.user
  }
  const call = async (method: 'GET' | 'PATCH', body?: SavedQuestionsPatch, user?: SignedIn) => {
    const { headers } = user ?? (await boss())
    return app.inject({
      ...{ method, url: '/api/v2/users/me/questions', headers },
      ...(body ? { payload: body } : {}),
    })
  }
  const patched = async (body: SavedQuestionsPatch, user?: SignedIn): Promise<SavedQuestions> => {
    const answer = await call('PATCH', body, user)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    return savedQuestionsSchema.parse(answer.json())
  }
  const work = (now = clock(), parts: SavedQuestionJobDependencies = questionJobDependencies) =>
    runDue(savedQuestionJob, { db, parts, now })
  return {
    app,
    call,
    patched,
    work,
    async clear() {
      await emptyTables(
        db,
        'saved_questions',
        'saved_question_settings',
        'notifications',
        'mails',
        'jobs',
        'usage_events',
        'contracts',
        'bidders',
        'company_projects',
        'project_spending',
        'project_matches',
        'projects',
        'companies',
        'loads',
      )
    },
    async save(id: string, over: Partial<NonNullable<SavedQuestionsPatch['add']>> = {}): Promise<void> {
      await patched({ add: { id, name: id, address: {}, monthly: false, on_change: true, ...over } })
      await work()
    },
    async load(projects: readonly WonProject[], { isIncrement = false } = {}): Promise<number> {
      const id = await addLoad(db)
      await putWonProjects(db, id, projects)
      await db.transaction(async (tx) => {
        await matchDataLoadProjects(tx, id)
        await enqueueSavedQuestionChecksAfterLoad(tx, clock(), { isIncrement })
      })
      await updateCompanyFacts(db)
      return id
    },
    bell: async (): Promise<{ detail: string; change_count?: number; question?: Record<string, string> }[]> =>
      (await app.inject({ url: '/api/v2/users/me', headers: (await boss()).headers }))
        .json()
        .notification_updated_status.notifications.filter(({ type }: { type: string }) => type === 'Question_news'),
    mailed: async (): Promise<OpenedMail[]> => (await queuedMails(db)).filter(({ kind }) => kind === 'question'),
  }
}
export type QuestionWorld = Awaited<ReturnType<typeof makeQuestionWorld>>
