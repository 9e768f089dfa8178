import { z } from 'zod/mini'
import { buildDatedFileName } from '#contract/dated-file-name.ts'
import { draftLetterSchema, MAX_DRAFT_COMMENTS, newDraftCommentSchema } from '#contract/team/draft-comment.ts'
import { type PursuitDetail, pursuitDetailSchema } from '#contract/team/pursuit.ts'
import { getBangkokToday } from '#contract/thai/thai-date.ts'
import type { Db } from '#server/platform/engine/db.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import type { RouteApp, RouteContext } from '#server/platform/route/route-app.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { sendAttachment } from '#server/platform/route/send-attachment.ts'
import { recordUsageEvents } from '#server/platform/route/usage-events.ts'
import { getPursuitActionUsageText } from '#server/team/pursuit/describe-pursuit-action.ts'
import { assertProjectKnownToOrganisation, presentPursuitDetail } from '#server/team/pursuit/patch-pursuit.ts'
import { appendPursuitEvents, loadPursuitState, lockPursuitBoard } from '#server/team/pursuit/queries.ts'
import { writeLetterDocument } from './letter-document.ts'
import { insertDraftComment, listDraftComments, withdrawDraftComment } from './queries.ts'

const tags = ['pursuit']
const config = { feature: 'report', demo: 'forbidden' } as const
const byId = z.object({ id: z.string() })

type Change = {
  readonly actor: Actor
  readonly projectId: string
  readonly now: Date
  /** Stores the change and returns its entry in the history. Throws ProblemError if it is not allowed. */
  readonly write: (tx: Db, at: string) => Promise<{ readonly action: string; readonly day: string }>
}

/** Serialised with all other changes of the organisation's pursuits, because the history numbers them. */
async function change(db: Db, { actor, projectId, now, write }: Change): Promise<PursuitDetail> {
  const { organisationId, userId } = actor
  return db.transaction(async (tx) => {
    await assertProjectKnownToOrganisation(tx, actor, projectId)
    const board = await lockPursuitBoard(tx, organisationId)
    const at = now.toISOString()
    const { action, day } = await write(tx, at)
    await appendPursuitEvents(tx, organisationId, board.version, [
      { projectId, at, by: userId, action, from: null, to: day },
    ])
    await recordUsageEvents(tx, [
      {
        ...{ organisationId, userId, at: now, type: 'pursuit' as const },
        description: getPursuitActionUsageText(action),
        info: [{ name: 'โครงการ', value: projectId }],
      },
    ])
    const state = await loadPursuitState(tx, organisationId, projectId)
    return presentPursuitDetail(tx, actor, { projectId, state, board })
  })
}

export function draftCommentRoutes(app: RouteApp, context: RouteContext): void {
  const { db } = context

  app.post(
    '/pursuits/:id/draft-comments',
    {
      config,
      schema: {
        tags,
        summary: 'Record a letter with which the organisation commented on the draft of a project, and when',
        params: byId,
        body: newDraftCommentSchema,
        response: { 200: pursuitDetailSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { organisationId, userId } = actor
      const projectId = request.params.id
      const { commented_on: day, text } = request.body
      const now = context.now()
      if (day > getBangkokToday(now))
        throw new ProblemError('bad_input', { fields: { commented_on: ['วันที่ส่งต้องไม่อยู่ในอนาคต'] } })
      return change(db, {
        ...{ actor, projectId, now },
        write: async (tx, at) => {
          const comments = await listDraftComments(tx, organisationId, projectId)
          if (comments.length >= MAX_DRAFT_COMMENTS)
            throw new ProblemError('bad_input', { text: `โครงการหนึ่งบันทึกจดหมายได้ไม่เกิน ${MAX_DRAFT_COMMENTS} ฉบับ` })
          await insertDraftComment(tx, organisationId, projectId, { commented_on: day, text, by: userId, at })
          return { action: 'comment_draft', day }
        },
      })
    },
  )

  app.delete(
    '/pursuits/:id/draft-comments/:comment',
    {
      config,
      schema: {
        tags,
        summary: 'Withdraw a letter that was recorded by mistake. It stays readable and no longer counts',
        params: z.object({ id: z.string(), comment: z.string().check(z.regex(/^\d{1,15}$/)) }),
        response: { 200: pursuitDetailSchema },
      },
    },
    async (request) => {
      const actor = await context.actorOf(request)
      const { id: projectId, comment: commentId } = request.params
      return change(db, {
        ...{ actor, projectId, now: context.now() },
        write: async (tx, at) => {
          const comments = await listDraftComments(tx, actor.organisationId, projectId)
          const comment = comments.find(({ id, withdrawn_at }) => id === Number(commentId) && withdrawn_at === null)
          if (!comment) throw new ProblemError('not_found')
          if (comment.by !== actor.userId && actor.role !== 'super_user')
            throw new ProblemError('bad_input', { text: 'ยกเลิกได้เฉพาะผู้ที่บันทึกหรือผู้ดูแลองค์กร' })
          await withdrawDraftComment(tx, actor.organisationId, comment.id, at)
          return { action: 'withdraw_draft_comment', day: comment.commented_on }
        },
      })
    },
  )

  app.post(
    '/pursuits/:id/draft-letter',
    {
      config,
      schema: {
        tags,
        summary: 'Download a letter about a draft as a Word file',
        params: byId,
        body: draftLetterSchema,
      },
    },
    async (request, reply) => {
      const actor = await context.actorOf(request)
      await assertProjectKnownToOrganisation(db, actor, request.params.id)
      return sendAttachment(request, reply, {
        name: buildDatedFileName('draft-letter-', context.now(), 'docx'),
        format: 'docx',
        record: () => Promise.resolve(),
        content: () => writeLetterDocument(request.body.text),
      })
    },
  )
}
