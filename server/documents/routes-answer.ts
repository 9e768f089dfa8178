import { z } from 'zod/mini'
import {
  type DocumentAnswerSettings,
  documentAnswerConsentSchema,
  documentAnswerSchema,
  documentAnswerSettingsSchema,
  documentQuestionSchema,
} from '#contract/documents/document-answer.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import { recordAuditEvent } from '#server/account/usage-log/audit-events.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { answerDocumentQuestion, selectAnswerPages } from './answer/answer-question.ts'
import {
  getLanguageModelHost,
  LanguageModelError,
  type LanguageModelFailureReason,
  type LanguageModelSettings,
} from './answer/language-model.ts'
import { consumeQuestionQuota, loadDocumentAnswerConsent, storeDocumentAnswerConsent } from './answer/queries.ts'
import { hasMatchedProject } from './queries.ts'

const FAILURES: Readonly<Record<LanguageModelFailureReason, string>> = {
  busy: 'โมเดลภาษารับคำถามไม่ทันหรือหมดโควตา ลองใหม่ในอีกสักครู่ ระหว่างนี้ค้นคำในเอกสารได้ตามปกติ',
  slow: 'โมเดลภาษาไม่ตอบภายในเวลาที่รอได้ ลองถามให้สั้นลง หรือค้นคำในเอกสารแทน',
  down: 'ติดต่อโมเดลภาษาไม่ได้ ลองใหม่ในอีกสักครู่ ระหว่างนี้ค้นคำในเอกสารได้ตามปกติ',
  refused: 'โมเดลภาษาไม่รับคำถามนี้ แจ้งผู้ดูแลระบบให้ตรวจการตั้งค่า ระหว่างนี้ค้นคำในเอกสารได้ตามปกติ',
  garbled: 'อ่านคำตอบของโมเดลภาษาไม่ได้ จึงไม่แสดง ลองถามใหม่ หรือค้นคำในเอกสารแทน',
}
const NO_MODEL = 'เครื่องแม่ข่ายนี้ยังไม่ได้ตั้งค่าโมเดลภาษา'
const NO_CONSENT = 'องค์กรของคุณยังไม่ได้เปิดใช้การถามเอกสาร ผู้ดูแลองค์กรเปิดได้'
const MODEL_CHANGED = 'ปลายทางหรือโมเดลเปลี่ยนไปแล้ว อ่านอีกครั้งก่อนเปิด'
const TOO_MANY_TODAY = 'วันนี้องค์กรของคุณถามครบจำนวนแล้ว ถามได้อีกพรุ่งนี้ ระหว่างนี้ค้นคำในเอกสารได้ตามปกติ'
const TOO_MANY_AT_ONCE = 'มีคำถามที่รอคำตอบอยู่หลายข้อแล้ว ลองใหม่เมื่อข้อก่อนได้คำตอบ'
const RETRY_AFTER_SECONDS = 15

/** Maximum questions in progress: each takes memory here and money or a GPU at the model's host. */
const MAX_CONCURRENT = 4
const MAX_CONCURRENT_PER_ORGANISATION = 2

/**
 * Limits concurrent questions in this process, per organisation and in total. The returned function takes a slot and
 * returns its release function, or undefined if none is free.
 */
function createSlots() {
  const running = new Map<number, number>()
  return (organisationId: number): (() => void) | undefined => {
    const ownCount = running.get(organisationId) ?? 0
    const totalCount = [...running.values()].reduce((sum, count) => sum + count, 0)
    if (ownCount >= MAX_CONCURRENT_PER_ORGANISATION || totalCount >= MAX_CONCURRENT) return undefined
    running.set(organisationId, ownCount + 1)
    return () => {
      const remaining = running.get(organisationId)! - 1
      if (remaining === 0) running.delete(organisationId)
      else running.set(organisationId, remaining)
    }
  }
}

const tags = ['document']
/** The demo account is refused, because its documents have no owner and its visitors are anonymous (C6). */
const config = { feature: 'report', demo: 'forbidden' } as const

type AnswerContext = RouteContext & {
  /** Undefined if no endpoint is configured; nothing is ever sent then. */
  readonly languageModel: LanguageModelSettings | undefined
}

/**
 * GET and PATCH /document-answers, POST /projects/{id}/document-answers: answers questions about a tender's documents
 * with verbatim quotations (decision 0098).
 */
export function documentAnswerRoutes(app: RouteApp, context: AnswerContext): void {
  const { db, languageModel } = context
  const takeSlot = createSlots()
  const endpoint = languageModel && { ...getLanguageModelHost(languageModel), model: languageModel.model }

  async function settingsOf({ organisationId }: Actor): Promise<DocumentAnswerSettings> {
    if (!languageModel || !endpoint)
      return { state: 'unavailable', host: null, model: null, is_here: false, left_today: 0 }
    const { host, model, isHere } = endpoint
    const consent = await loadDocumentAnswerConsent(db, organisationId, getBangkokToday(context.now()))
    // Consent covers one host and model, so changing either requires new consent.
    const isOn = consent.host === host && consent.model === model
    const questionsLeft = Math.max(0, languageModel.dailyQuestions - consent.asked)
    return { state: isOn ? 'on' : 'off', host, model, is_here: isHere, left_today: questionsLeft }
  }

  app.get(
    '/document-answers',
    {
      config,
      schema: {
        tags,
        summary: 'Check whether document questions can be asked, and which model would receive the pages',
        response: { 200: documentAnswerSettingsSchema },
      },
    },
    async (request) => settingsOf(await context.actorOf(request)),
  )

  app.patch(
    '/document-answers',
    {
      config: { ...config, role: 'super_user' },
      schema: {
        tags,
        summary:
          'Give or withdraw consent to send questions and pages to a language model. The consent is that of the organisation, and only for the given host and model',
        body: documentAnswerConsentSchema,
        response: { 200: documentAnswerSettingsSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { is_on, host, model } = request.body
      if (!endpoint) throw new ProblemError('bad_input', { text: NO_MODEL })
      if (host !== endpoint.host || model !== endpoint.model)
        throw new ProblemError('bad_input', { text: MODEL_CHANGED })
      await db.transaction(async (tx) => {
        await storeDocumentAnswerConsent(tx, actor.organisationId, is_on ? { host, model } : undefined)
        await recordAuditEvent(tx, {
          kind: 'document_answers_switched',
          at: context.now(),
          organisationId: actor.organisationId,
          userId: actor.userId,
          address: request.ip,
          requestId: request.id,
          detail: { is_on, host, model },
        })
      })
      return settingsOf(actor)
    },
  )

  app.post(
    '/projects/:id/document-answers',
    {
      config,
      schema: {
        tags,
        summary: "Ask a question about a tender's documents; returns verbatim sentences, each with its page",
        params: z.object({ id: z.string() }),
        body: documentQuestionSchema,
        response: { 200: documentAnswerSchema },
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      const { organisationId, userId } = actor
      const { id } = request.params
      const { question } = request.body
      if (!(await hasMatchedProject(db, organisationId, id))) throw new ProblemError('not_found')
      const { state, left_today } = await settingsOf(actor)
      if (!languageModel || state === 'unavailable') throw new ProblemError('forbidden', { text: NO_MODEL })
      if (state === 'off') throw new ProblemError('forbidden', { text: NO_CONSENT })
      const pages = await selectAnswerPages(db, organisationId, id, question)
      const page_count = pages.pageCount
      if (pages.sent.length === 0) return { quotations: [], dropped: 0, sent: [], page_count, left_today }
      const release = takeSlot(organisationId)
      if (!release)
        throw new ProblemError('too_many_requests', { text: TOO_MANY_AT_ONCE, retryAfterSeconds: RETRY_AFTER_SECONDS })
      try {
        if (
          !(await consumeQuestionQuota(
            db,
            organisationId,
            getBangkokToday(context.now()),
            languageModel.dailyQuestions,
          ))
        )
          throw new ProblemError('too_many_requests', { text: TOO_MANY_TODAY, retryAfterSeconds: 3_600 })
        await recordAuditEvent(db, {
          kind: 'document_question_asked',
          at: context.now(),
          organisationId,
          userId,
          address: request.ip,
          requestId: request.id,
          detail: { project: id, host: getLanguageModelHost(languageModel).host, pages: pages.sent.length },
        })
        const disconnected = new AbortController()
        reply.raw.once('close', () => disconnected.abort(new ProblemError('unavailable')))
        const { quotations, dropped } = await answerDocumentQuestion(
          languageModel,
          question,
          pages,
          disconnected.signal,
        )
        const sent = pages.sent.map(({ text: _, ...reference }) => reference)
        return { quotations, dropped, sent, page_count, left_today: Math.max(0, left_today - 1) }
      } catch (error) {
        if (!(error instanceof LanguageModelError)) throw error
        // Log only the failure, never text from the question, a page or the answer.
        request.log.warn({ failure: error.failure, reason: error.message }, 'language model gave no answer')
        throw new ProblemError('unavailable', { text: FAILURES[error.failure], retryAfterSeconds: RETRY_AFTER_SECONDS })
      } finally {
        release()
      }
    },
  )
}
